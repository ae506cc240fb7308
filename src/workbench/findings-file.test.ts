import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Diagnosis, Task } from "#domain";
import { withKnown, writeFindings } from "./findings-file.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-findings-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const answer = { type: "string", value: "x", accepted: ["x"] };
const hopOf = (id: string) => ({ id, question: `${id}?`, modality: "text", evidence: [`e-${id}`], answer });
const tasks = [Task.parse({ id: "t", question: "?", answer, chain: { hops: [hopOf("h1"), hopOf("h2")], sink: "h2" } })];

const missed = Diagnosis.parse({
	...{ version: 2, task: "t", repeat: 0, attempt: 1, diagnoser: "1", right: false, shows: "bare" },
	hops: [
		{ is: "judged", hop: "h1", verdict: "retrieval-miss", aimed: [0], brought: [], evidence: [] },
		{ is: "judged", hop: "h2", verdict: "misread", aimed: [1], brought: [1], evidence: ["e"] },
	],
	...{ findings: [], firstBroken: "h1", unobserved: [], primary: "retrieval-miss", notJudged: [] },
});
const withCause = (of: Diagnosis, cause: object): Diagnosis =>
	Diagnosis.parse({
		...of,
		hops: of.hops.map((hop) => (hop.is === "judged" && hop.hop === "h1" ? { ...hop, miss: cause } : hop)),
	});

test("causes of misses that were looked into are known again, of the same attempt only", async () => {
	expect(await withKnown(dir, [missed], { tasks })).toEqual([missed]);
	const looked = withCause(missed, { is: "bad-query", rank: 2 });
	await writeFindings(dir, [looked]);
	expect(await withKnown(dir, [missed], { tasks })).toEqual([looked]);
	const later = { ...missed, attempt: 2 };
	expect(await withKnown(dir, [later], { tasks })).toEqual([later]);
});

test("a hop that no longer counts as missed gets no cause, and torn lines none", async () => {
	const solved = Diagnosis.parse({
		...missed,
		hops: missed.hops.map((hop) => (hop.hop === "h1" ? { ...hop, verdict: "solved" } : hop)),
	});
	const line = JSON.stringify(withCause(missed, { is: "bad-query", rank: 2 }));
	await writeFile(join(dir, "findings.jsonl"), `${line}\n{"miss": nonsense\n{"version":2,"miss`);
	expect(await withKnown(dir, [solved], { tasks })).toEqual([solved]);
	expect((await withKnown(dir, [missed], { tasks }))[0]?.hops[0]).toMatchObject({ miss: { rank: 2 } });
});

describe("what re-runs settled", () => {
	const hop = (id: string) => ({
		...{ is: "judged", hop: id, verdict: "unobserved", aimed: [0], brought: [0], evidence: [`e-${id}`] },
		why: "nothing carries it on",
	});
	const open = Diagnosis.parse({
		...{ version: 2, task: "t", repeat: 0, attempt: 1, diagnoser: "1", right: false, shows: "bare" },
		hops: [hop("h1"), hop("h2")],
		findings: [{ is: "unobserved", steps: [], evidence: [], says: "Nothing shows it." }],
		...{ firstBroken: null, unobserved: ["h1", "h2"], primary: "unobserved", notJudged: [] },
	});
	const asked = [
		{ upTo: "h1", right: 0, of: 1 },
		{ upTo: "h2", right: 1, of: 1 },
	];

	test("is known again of the same attempt, and what is asked anew goes before what is kept", async () => {
		const first = await withKnown(dir, [open], { tasks, asked: () => asked });
		expect(first[0]).toMatchObject({ firstBroken: "h2", primary: "misread", unobserved: [] });
		await writeFindings(dir, first);
		expect(await withKnown(dir, [open], { tasks })).toEqual(first);
		expect(await withKnown(dir, [open], { tasks, causes: false })).toEqual(first);
		expect(await withKnown(dir, [{ ...open, attempt: 2 }], { tasks })).toEqual([{ ...open, attempt: 2 }]);
		const anew = await withKnown(dir, [open], { tasks, asked: () => [{ upTo: "h1", right: 1, of: 1 }] });
		expect(anew[0]).toMatchObject({ firstBroken: "h1", primary: "misread" });
	});

	test("touches no hop whose reading the rules can see now", async () => {
		await writeFindings(dir, await withKnown(dir, [open], { tasks, asked: () => asked }));
		const [, second] = open.hops;
		const seen = Diagnosis.parse({
			...open,
			hops: [{ ...hop("h1"), verdict: "unsupported", used: "x", seen: { by: "thought", step: 1 } }, second],
			...{ findings: [], firstBroken: "h1", primary: "unsupported", unobserved: [] },
		});
		expect(await withKnown(dir, [seen], { tasks })).toEqual([seen]);
	});
});

test("lines of the first version, and of other rules, are read as none: the records are diagnosed anew", async () => {
	const cause = { is: "bad-query", rank: 2 };
	const first = {
		...{ version: 1, task: "t", repeat: 0, attempt: 1, diagnoser: "1", right: false },
		hops: [{ is: "judged", hop: "h1", verdict: "retrieval-miss", steps: [0], evidence: [], miss: cause }],
		...{ findings: [], firstBroken: "h1", primary: "retrieval-miss", notJudged: [] },
	};
	await writeFile(join(dir, "findings.jsonl"), `${JSON.stringify(first)}\n`);
	expect(await withKnown(dir, [missed], { tasks })).toEqual([missed]);
	await writeFindings(dir, [{ ...withCause(missed, cause), diagnoser: "0" }]);
	expect(await withKnown(dir, [missed], { tasks })).toEqual([missed]);
	// a line of today beside one of then counts
	const today = JSON.stringify(withCause(missed, { is: "tool-or-k", rank: 1 }));
	await writeFile(join(dir, "findings.jsonl"), `${JSON.stringify(first)}\n${today}\n`);
	expect((await withKnown(dir, [missed], { tasks }))[0]?.hops[0]).toMatchObject({ miss: { is: "tool-or-k", rank: 1 } });
});
