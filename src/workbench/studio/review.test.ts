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
	expect(JSON.stringify(told)).toContain('"human"');
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
		expect(put.revealed?.models).toHaveLength(entry.asks.length);
	}
	expect(searches.length).toBeGreaterThan(3);
	const [first] = searches as [string];
	await reviews.undo({ ...seat("hops", "ana"), item: first });
	const labels = (await linesOf(file)).map((line) => PseudoHopLabel.parse(line));
	expect(labels.filter(({ flag, is }) => flag === "low-relevance" && is === false)).toHaveLength(searches.length - 1);
	const told = (await hopscope("diagnose", run, "--without-gold", "--labels", file, "--json")).json();
	const flag = told.flags.find((one: { flag: string }) => one.flag === "low-relevance");
	expect(flag.calibrated.labelled).toBe(searches.length - 1);
	expect((await reviews.queue(seat("hops", "ana"))).items.filter(({ done }) => !done)).toHaveLength(1);
});
