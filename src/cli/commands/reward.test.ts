import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { type Message, noUsage, RunManifest, type RunRecord } from "#domain";
import { writeRun } from "#runs";
import { longTest } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;

const towns = 3;
const said = (role: Message["role"], text: string): Message => ({ role, content: [{ type: "text", text }] });

/** One search and an answer, in the tagged protocol's words. */
function recordOf(
	task: number,
	repeat: number,
	{ answer, searches }: { answer: string; searches: boolean },
): RunRecord {
	const query = `How many inhabitants has Town ${task}?`;
	const call = { tool: "text_search", arguments: { query }, valid: true };
	const looked = { index: 0, call, results: [{ id: `town#${task}`, score: 1, rank: 1 }], usage: noUsage, ms: 0 };
	const ended = { index: searches ? 1 : 0, results: [], usage: noUsage, ms: 0 };
	return {
		...{ version: 1, task: `t${task}`, repeat, attempt: 0, at: "2026-01-01T00:00:00Z" },
		trajectory: {
			...{
				steps: searches ? [looked, ended] : [ended],
				answer,
				abstained: false,
				stop: "answered",
				usage: noUsage,
				ms: 0,
			},
			messages: [
				said("system", "Search, then answer."),
				said("user", query),
				...(searches
					? [
							said("assistant", `<text_search>${query}</text_search>`),
							said("user", `Town ${task} has ${task}00 inhabitants.`),
						]
					: []),
				said("assistant", `<answer>${answer}</answer>`),
			],
		},
	};
}

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-reward-"));
	await makeTowns(workspace, {
		towns,
		more: (n) => ({
			chain: {
				hops: [
					{
						...{ id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
						answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
					},
				],
				sink: "h1",
			},
		}),
	});
	const { manifest, tasks, dir } = await openBenchmark(join(workspace, "benchmarks/towns"));
	const run = RunManifest.parse({
		...{
			version: 1,
			id: "made",
			agent: { name: "tagged", version: "1" },
			model: "m",
			setting: { name: "search", k: 3 },
		},
		benchmark: { name: "towns", hash: manifest.hash, folder: dir },
		knowledge: { name: "towns", hash: "0".repeat(64), folder: join(workspace, "knowledge/towns") },
		...{ tasks: tasks.map(({ id }) => id), repeats: 2, seed: 0, at: "2026-01-01T00:00:00Z" },
		software: { hopscope: "0", node: "20" },
	});
	const records = [
		recordOf(0, 0, { answer: "000", searches: true }),
		recordOf(0, 1, { answer: "7", searches: false }),
		recordOf(1, 0, { answer: "5", searches: false }),
		recordOf(1, 1, { answer: "6", searches: false }),
		recordOf(2, 0, { answer: "200", searches: true }),
	];
	await writeRun(join(workspace, "runs/made"), { manifest: run, records });
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const hopscope = commandsOn(() => workspace);

test("reward says what a trainer would make of a run, and writes a row for every expected record", async () => {
	const rows = join(workspace, "rows.jsonl");
	const { code, json } = await hopscope("reward", "made", "--rows", rows, "--json");
	expect(code).toBe(0);
	const told = json();
	expect(told).toMatchObject({
		run: "made",
		records: { expected: 6, rewarded: 5, without: { "not run": 1 } },
		groups: { n: 3, lacking: 1, single: 1, kept: { count: 2, of: 3 }, allWrong: { count: 1 } },
		byHops: [{ hops: 1, groups: 3, dropped: { count: 1 } }],
	});
	// right after one search 2.25, wrong 1: means of 1.625, 1 and 2.25
	expect(told.means.reward.value).toBeCloseTo((1.625 + 1 + 2.25) / 3, 12);
	const lines = (await readFile(rows, "utf8"))
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(lines.map(({ task, value, advantage, kept }) => [task, value, advantage, kept])).toEqual([
		["t0", 2.25, 1, true],
		["t0", 1, -1, true],
		["t1", 1, 0, false],
		["t1", 1, 0, false],
		["t2", 2.25, 0, true],
		["t2", null, null, true],
	]);
	const shown = await hopscope("reward", "made", "--filter", "dapo");
	expect(shown.out).toContain("5 of 6 records have a reward (without, 1: not run)");
	expect(shown.out).toContain("a right and a wrong answer");
	expect((await hopscope("reward", "none")).code).toBe(2);
});

test("export preference pairs right with wrong, reads the file again, and counts the rest", async () => {
	const to = join(workspace, "pairs");
	const { code, json } = await hopscope("export", "preference", "made", "--to", to, "--json");
	expect(code).toBe(0);
	expect(json()).toMatchObject({ rows: 1, problems: [], byVerdict: { "not-planned": 1 } });
	const pair = JSON.parse(await readFile(join(to, "pairs.jsonl"), "utf8"));
	expect(pair).toMatchObject({
		...{ task: "t0", turn: 0, hop: "h1", system: "Search, then answer." },
		chosen: [{ role: "assistant", train: true }],
		rejected: [{ content: [{ text: "<answer>7</answer>" }] }],
	});
	const empty = await hopscope("export", "preference", "made", "--split", "other", "--to", join(workspace, "none"));
	expect(empty.code).toBe(1);
	expect(empty.out).toContain("held out of training");
});

longTest("export retriever mines the knowledge base, and what agents were shown", async () => {
	const to = join(workspace, "retriever");
	const { code, json } = await hopscope(
		"export",
		"retriever",
		"towns",
		"--below",
		"--runs",
		"made",
		"--to",
		to,
		"--json",
	);
	expect(code).toBe(0);
	const told = json();
	expect(told).toMatchObject({ problems: [], byQuery: { "sub-question": told.rows } });
	const lines = (await readFile(join(to, "pairs.jsonl"), "utf8"))
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	for (const { task, positives, negatives } of lines) {
		expect(positives.map(({ id }: { id: string }) => id)).toEqual([`town#${task.slice(1)}`]);
		for (const { id } of negatives) expect(id).not.toBe(`town#${task.slice(1)}`);
	}
	expect((await hopscope("export", "retriever", "towns", "--no-search", "--to", to)).code).toBe(2);
});
