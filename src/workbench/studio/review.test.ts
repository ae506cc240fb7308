import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LabelledItem, PseudoHopLabel } from "#domain";
import { openWorkbench, type Studio } from "#workbench";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace = "";
let run = "";
let studio: Studio;
const hopscope = commandsOn(() => workspace);

const chain = (n: number) => ({
	chain: {
		hops: [
			{
				...{ id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
				answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
			},
		],
		sink: "h1",
	},
});

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "studio-labels-"));
	await makeTowns(workspace, { towns: 12, more: chain });
	run = (await hopscope("run", "--benchmark", "towns", "--agent", "extractive", "--json")).json().run;
	studio = await openWorkbench(workspace).openStudio({});
});

afterAll(() => studio.close());

const linesOf = async (file: string): Promise<unknown[]> =>
	(await readFile(file, "utf8")).split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
const seat = (kind: "answers" | "hops", reviewer: string) => ({ kind, of: run, reviewer, round: 1 as const });
const settling = (kind: "answers" | "hops", reviewer: string) => ({
	...seat(kind, reviewer),
	round: "adjudication" as const,
});
const options = (...given: [ask: string, value: string][]) => ({
	is: "options" as const,
	given: given.map(([ask, value]) => ({ ask, values: [value] })),
});
/** How many items are in which state. */
async function statesOf(kind: "answers" | "hops"): Promise<Record<string, number>> {
	const { states } = await studio.reviews.standing({ kind, of: run });
	return Object.fromEntries(states.map(({ state, count }) => [state, count]));
}

test("answers are labelled blind, in the sheet that judges are calibrated on", async () => {
	const { reviews } = studio;
	const file = join(workspace, "runs", run, "labels/answers.jsonl");
	const { queues } = await reviews.queues();
	const before = queues.find(({ kind }) => kind === "answers")?.before;
	expect(before).toBe(`hopscope judge sample ${run} --out ${file}`);
	await hopscope("judge", run, "--model", "rule", "--rubric", "tracer");
	await hopscope("judge", "sample", run, "--out", file, "--rubric", "tracer");
	const { items } = await reviews.queue(seat("answers", "ana"));
	expect(items.length).toBeGreaterThan(3);
	for (const [at, { id: item }] of items.entries()) {
		const entry = await reviews.entry({ ...seat("answers", "ana"), item });
		expect(entry.revealed).toBeNull();
		expect(entry.asks.map(({ name }) => name)).toEqual(["score answer_score", "grade"]);
		const values = [at % 4 === 3 ? "wrong" : "right"];
		const said = { is: "options" as const, given: [{ ask: "grade", values }] };
		const put = await reviews.put({ ...seat("answers", "ana"), item, said });
		expect(put.mine).toEqual(said);
		expect(put.revealed?.models).toMatchObject([{ who: "rule by tracer" }]);
	}
	// two people at once, and one who takes it back
	const [first, second] = [items[0]?.id ?? "", items[1]?.id ?? ""];
	const wrong = { is: "options" as const, given: [{ ask: "grade", values: ["wrong"] }] };
	await Promise.all([
		reviews.put({ ...seat("answers", "ben"), item: first, said: wrong }),
		reviews.put({ ...seat("answers", "cho"), item: first, said: wrong }),
		reviews.put({ ...seat("answers", "ben"), item: second, said: wrong }),
	]);
	await reviews.undo({ ...seat("answers", "cho"), item: first });
	const [sheet, ...labelled] = await linesOf(file);
	expect(sheet).toMatchObject({ sheet: "labels" });
	const byId = new Map(labelled.map((line) => LabelledItem.parse(line)).map((item) => [item.id, item.labels]));
	expect(byId.get(first)).toEqual([
		{ rater: "ana", kind: "human", label: { is: "grade", grade: "right" } },
		{ rater: "ben", kind: "human", label: { is: "grade", grade: "wrong" } },
	]);
	expect((await reviews.standing({ kind: "answers", of: run })).conflicts).toHaveLength(2);
	const told = (await hopscope("judge", "calibrate", run, "--labels", file, "--json")).json();
	expect((await hopscope("judge", "calibrate", run, "--json")).json()).toEqual(told);
	expect(JSON.stringify(told)).toContain('"human"');
	expect((await hopscope("report", run, "--views", "judge-consistency")).out).toContain("rule / people");
	for (const given of [[], [{ ask: "grade", values: ["splendid"] }], [{ ask: "__proto__", values: ["right"] }]])
		await expect(
			reviews.put({ ...seat("answers", "ana"), item: first, said: { is: "options", given } }),
		).rejects.toMatchObject({ code: "bad-review" });
});

test("searches without gold are labelled in the file that calibrates their reading", async () => {
	const { reviews } = studio;
	await hopscope("diagnose", run, "--without-gold");
	const file = join(workspace, "runs", run, "labels/hops.jsonl");
	const { items } = await reviews.queue(seat("hops", "ana"));
	const searches: string[] = [];
	for (const { id: item } of items) {
		const entry = await reviews.entry({ ...seat("hops", "ana"), item });
		expect(entry.revealed).toBeNull();
		const given = entry.asks.map(({ name }) => ({ ask: name, values: [name === "low-relevance" ? "no" : "unsure"] }));
		if (entry.asks.length > 1) searches.push(item);
		const put = await reviews.put({ ...seat("hops", "ana"), item, said: { is: "options", given } });
		// no judge was asked what it would say
		const words = entry.asks.filter(({ name }) => name !== "does-not-follow");
		expect(put.revealed?.models).toHaveLength(words.length);
	}
	expect(searches.length).toBeGreaterThan(3);
	const [first] = searches as [string];
	await reviews.undo({ ...seat("hops", "ana"), item: first });
	const labels = (await linesOf(file)).map((line) => PseudoHopLabel.parse(line));
	expect(labels.filter(({ flag, is }) => flag === "low-relevance" && is === false)).toHaveLength(searches.length - 1);
	const told = (await hopscope("diagnose", run, "--without-gold", "--labels", file, "--json")).json();
	expect((await hopscope("diagnose", run, "--without-gold", "--json")).json()).toEqual(told);
	const flag = told.flags.find((one: { flag: string }) => one.flag === "low-relevance");
	expect(flag.calibrated.labelled).toBe(searches.length - 1);
	expect((await reviews.queue(seat("hops", "ana"))).items.filter(({ done }) => !done)).toHaveLength(1);
});

test("two who label an answer differently are settled by a third, whose word the judge is held against", async () => {
	const { reviews } = studio;
	const file = join(workspace, "runs", run, "labels/answers.jsonl");
	const { items } = await reviews.queue(seat("answers", "ben"));
	const [first = "", second = ""] = items.map(({ id }) => id);
	await reviews.put({ ...seat("answers", "cho"), item: second, said: options(["grade", "wrong"]) });
	expect(await statesOf("answers")).toMatchObject({ "in conflict": 2, settled: 0, waiting: 0 });
	const before = await reviews.standing({ kind: "answers", of: run });

	const dora = settling("answers", "dora");
	expect((await reviews.queue(dora)).items).toEqual([
		{ id: first, done: false },
		{ id: second, done: false },
	]);
	const entry = await reviews.entry({ ...dora, item: second });
	expect(entry).toMatchObject({ mine: null, revealed: null });
	expect(entry.asks.map(({ name }) => name)).toEqual(["grade"]);
	expect(entry.disagreement).toEqual([{ who: "The answer is", says: "2 say wrong, 1 says right", why: "" }]);
	expect(JSON.stringify(entry)).not.toContain("ben");
	// only what is contested is settled, and only what people differ on
	const asked = { ...dora, said: options(["grade", "right"]) };
	await expect(reviews.put({ ...asked, item: items[2]?.id ?? "" })).rejects.toMatchObject({ code: "unknown-item" });
	await expect(
		reviews.put({ ...asked, item: second, said: options(["score answer_score", "1"]) }),
	).rejects.toMatchObject({ code: "bad-review" });

	const settled = await reviews.put({ ...asked, item: second });
	expect(settled.mine).toEqual(options(["grade", "right"]));
	expect(settled.revealed?.others.map(({ who, says }) => `${who} ${says}`)).toEqual([
		"ana right",
		"ben wrong",
		"cho wrong",
	]);
	expect(await statesOf("answers")).toMatchObject({ "in conflict": 1, settled: 1 });
	expect((await reviews.queue(settling("answers", "eva"))).items).toEqual([{ id: first, done: false }]);
	expect((await reviews.queue(dora)).items).toHaveLength(2);
	// whoever labels again has no hand in what was settled
	await reviews.put({ ...seat("answers", "dora"), item: second, said: options(["grade", "wrong"]) });
	const labels = (await linesOf(file)).slice(1).map((line) => LabelledItem.parse(line));
	expect(labels.find(({ id }) => id === second)?.labels.filter(({ rater }) => rater === "dora")).toEqual([
		{ rater: "dora", kind: "human", round: "adjudication", label: { is: "grade", grade: "right" } },
		{ rater: "dora", kind: "human", label: { is: "grade", grade: "wrong" } },
	]);
	await reviews.undo({ ...seat("answers", "dora"), item: second });
	expect((await reviews.standing({ kind: "answers", of: run })).agreement).toEqual(before.agreement);

	const agreeing = async () => {
		const told = (await hopscope("judge", "calibrate", run, "--labels", file, "--json")).json();
		return told.dimensions.find(({ name }: { name: string }) => name === "grade").humans.comparisons;
	};
	const once = await agreeing();
	await reviews.undo({ ...dora, item: second });
	expect(await statesOf("answers")).toMatchObject({ "in conflict": 2, settled: 0 });
	// three votes in place of one word
	expect(await agreeing()).toBe(once + 2);
});

test("two who say of a search what cannot both be are settled by a third, and the flag's share follows", async () => {
	const { reviews } = studio;
	const file = join(workspace, "runs", run, "labels/hops.jsonl");
	const { items } = await reviews.queue(seat("hops", "ben"));
	const asks = async (item: string) => (await reviews.entry({ ...seat("hops", "ben"), item })).asks;
	const searches: string[] = [];
	for (const { id } of items) if ((await asks(id)).length > 1) searches.push(id);
	const [, second = "", third = ""] = searches;
	await reviews.put({
		...seat("hops", "ben"),
		item: second,
		said: options(["low-relevance", "yes"], ["aimless-search", "no"]),
	});
	await reviews.put({ ...seat("hops", "ben"), item: third, said: options(["low-relevance", "unsure"]) });
	// whoever cannot say disagrees with nobody
	expect(await statesOf("hops")).toMatchObject({ "in conflict": 1 });
	const labelled = async () => {
		const told = (await hopscope("diagnose", run, "--without-gold", "--labels", file, "--json")).json();
		const flag = told.flags.find((one: { flag: string }) => one.flag === "low-relevance");
		return [flag.calibrated.labelled, flag.calibrated.labelsAlone.count];
	};
	const [before, holding] = (await labelled()) as [number, number];
	const dora = settling("hops", "dora");
	expect((await reviews.queue(dora)).items).toEqual([{ id: second, done: false }]);
	const entry = await reviews.entry({ ...dora, item: second });
	expect(entry.asks.map(({ name }) => name)).toEqual(["low-relevance"]);
	expect(entry.disagreement.map(({ says }) => says)).toEqual(["1 says no, 1 says yes"]);
	// who cannot say either leaves it to the next
	await reviews.put({ ...dora, item: second, said: options(["low-relevance", "unsure"]) });
	expect(await statesOf("hops")).toMatchObject({ "in conflict": 1, settled: 0 });
	expect((await reviews.queue(settling("hops", "eva"))).items).toEqual([{ id: second, done: false }]);
	await reviews.put({ ...settling("hops", "eva"), item: second, said: options(["low-relevance", "yes"]) });
	expect(await statesOf("hops")).toMatchObject({ "in conflict": 0, settled: 1 });
	expect(await labelled()).toEqual([before + 1, holding + 1]);
	const { conflicts } = (await reviews.queues()).queues.find(({ kind }) => kind === "hops") ?? {};
	expect(conflicts).toBe(0);
});
