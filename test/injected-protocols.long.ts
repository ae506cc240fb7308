// @module-tag long
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { openCorpus } from "#corpus";
import { evenly } from "#domain";
import { openKnowledge } from "#knowledge";
import { atlasFixture } from "./atlas.ts";
import { hopscope, temporaryFolder } from "./command-line.ts";
import {
	type PlayedRun,
	passagesOf,
	playedFaults,
	playedMistakes,
	playedProtocols,
	playedTable,
	runPlayed,
	wordTasks,
} from "./injected-protocols.ts";

/** Records of each protocol and fault that the shares rest on at least. */
const least = 25;
/** Tasks of each benchmark that are asked; all of them for faults that seldom strike what searches find by the way. */
const usual = 60;
const seldom: ReadonlySet<string> = new Set(["bad-query", "stop-early"]);
const folder = temporaryFolder();
const morehopqa = join(import.meta.dirname, "..", "..", "shared", "data", "morehopqa", "morehopqa_150.json");
/** Where the tables go, for the page that shows them. */
const out = process.env.HOPSCOPE_PROTOCOL_TABLES;
const runs: PlayedRun[] = [];

async function open(workspace: string, name: string) {
	const at = (room: string) => join(workspace, room, name);
	return {
		name,
		benchmark: await openBenchmark(at("benchmarks")),
		knowledge: await openKnowledge(at("knowledge")),
		passages: await passagesOf((await openCorpus(at("corpora"))).evidence()),
	};
}
const opened: Awaited<ReturnType<typeof open>>[] = [];

beforeAll(async () => {
	opened.push(await open((await atlasFixture()).workspace.dir, "atlas"));
	if (!existsSync(morehopqa)) return;
	const workspace = join(folder, "workspace");
	const { code, err } = await hopscope(["import", "morehopqa", morehopqa, "-w", workspace]);
	expect(code, err).toBe(0);
	opened.push(await open(workspace, "morehopqa"));
});
afterAll(async () => {
	for (const { knowledge } of opened) await knowledge.close();
	const text = `${playedTable(runs)}\n\n${playedMistakes(runs)}\n`;
	process.stdout.write(text);
	if (out === undefined) return;
	mkdirSync(dirname(out), { recursive: true });
	writeFileSync(out, text);
});

describe.each(playedProtocols)("$name", (protocol) => {
	test.each(playedFaults)("%s", async (fault) => {
		let records = 0;
		for (const { name, ...parts } of opened) {
			const dir = join(folder, `${name}-${protocol.name}-${fault}`.replace(/\W+/g, "-"));
			const all = wordTasks(parts.benchmark.tasks);
			const tasks = seldom.has(fault) ? all : evenly(all, usual);
			const run = await runPlayed({ protocol, fault }, { ...parts, dir, tasks });
			records += run.attributed.length;
			runs.push(run);
			expect(run.differences).toEqual([]);
			// but for what is searched after it, which the log does not hold
			if (fault !== "no-answer") expect(run.asLogged.differing).toEqual([]);
		}
		if (opened.length > 1) expect(records).toBeGreaterThanOrEqual(least);
	});
});
