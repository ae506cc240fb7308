import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Diagnosis } from "#domain";
import { withKnownCauses, writeFindings } from "./findings-file.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-findings-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const missed = Diagnosis.parse({
	...{ version: 2, task: "t", repeat: 0, attempt: 1, diagnoser: "3", right: false, shows: "stated", unobserved: [] },
	hops: [
		{ is: "judged", hop: "h1", verdict: "retrieval-miss", aimed: [0], brought: [], evidence: [] },
		{ is: "judged", hop: "h2", verdict: "misread", aimed: [1], brought: [1], evidence: ["e"] },
	],
	...{ findings: [], firstBroken: "h1", primary: "retrieval-miss", notJudged: [] },
});
const withCause = (of: Diagnosis, cause: object): Diagnosis =>
	Diagnosis.parse({
		...of,
		hops: of.hops.map((hop) => (hop.is === "judged" && hop.hop === "h1" ? { ...hop, miss: cause } : hop)),
	});

test("causes of misses that were looked into are known again, of the same attempt only", async () => {
	expect(await withKnownCauses(dir, [missed])).toEqual([missed]);
	const looked = withCause(missed, { is: "bad-query", rank: 2 });
	await writeFindings(dir, [looked]);
	expect(await withKnownCauses(dir, [missed])).toEqual([looked]);
	const later = { ...missed, attempt: 2 };
	expect(await withKnownCauses(dir, [later])).toEqual([later]);
});

test("lines of an earlier version give none", async () => {
	const old = { ...withCause(missed, { is: "bad-query", rank: 2 }), version: 1 };
	await writeFile(join(dir, "findings.jsonl"), `${JSON.stringify(old)}\n`);
	expect(await withKnownCauses(dir, [missed])).toEqual([missed]);
});

test("a hop that no longer counts as missed gets no cause, and torn lines none", async () => {
	const solved = Diagnosis.parse({
		...missed,
		hops: missed.hops.map((hop) => (hop.hop === "h1" ? { ...hop, verdict: "solved" } : hop)),
	});
	const line = JSON.stringify(withCause(missed, { is: "bad-query", rank: 2 }));
	await writeFile(join(dir, "findings.jsonl"), `${line}\n{"miss": nonsense\n{"version":1,"miss`);
	expect(await withKnownCauses(dir, [solved])).toEqual([solved]);
	expect((await withKnownCauses(dir, [missed]))[0]?.hops[0]).toMatchObject({ miss: { rank: 2 } });
});
