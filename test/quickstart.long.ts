// @module-tag long
import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { atlasFixture } from "./atlas.ts";
import { hopscope, temporaryFolder } from "./command-line.ts";

const workspace = join(temporaryFolder(), "workspace");

beforeAll(async () => {
	const atlas = await atlasFixture();
	cpSync(atlas.workspace.dir, workspace, {
		recursive: true,
		filter: (source) => !/[/\\](runs|reports)([/\\]|$)/.test(source),
	});
});

const command = (...args: string[]) => [...args, "--workspace", workspace];

test("the quick start shows what it promises, in one line, and answers nothing anew the second time", async () => {
	const first = await hopscope(command("quickstart", "--json"));
	expect(first.code).toBe(0);
	expect(first.out.trim().split("\n")).toHaveLength(1);
	interface Shown {
		agent: string;
		tasks: number;
		accuracy: { value: number; low: number; high: number };
		hps: number;
		rd: number;
	}
	const { agents, report } = JSON.parse(first.out) as { agents: Shown[]; report: string };
	const by = new Map(agents.map((agent) => [agent.agent, agent]));
	const accuracy = (name: string) => by.get(name)?.accuracy.value ?? Number.NaN;
	expect(by.get("gold-replay")).toMatchObject({ accuracy: { value: 1 }, hps: 1, rd: 0 });
	expect(by.get("closed-book")).toMatchObject({ accuracy: { value: 0 }, hps: 0 });
	expect(accuracy("extractive")).toBeGreaterThan(0.25);
	expect(accuracy("oracle")).toBeGreaterThanOrEqual(accuracy("extractive"));
	for (const {
		tasks,
		accuracy: { low, value, high },
	} of agents) {
		expect(tasks).toBe(120);
		expect(low <= value && value <= high).toBe(true);
	}
	const runs = readdirSync(join(workspace, "runs"));
	expect(runs).toHaveLength(agents.length);
	expect(readFileSync(report, "utf8")).toContain('data-source="files"');
	const data = readdirSync(join(dirname(report), "data"));
	expect(data).toEqual(expect.arrayContaining(["index.js", ...runs.map((run) => `${run}.run.js`)]));

	const written = () => runs.map((run) => statSync(join(workspace, "runs", run, "records.jsonl")).mtimeMs);
	const before = written();
	const second = await hopscope(command("quickstart"));
	expect(second.out).toContain(`report: ${report}`);
	expect(second.out.trim().split("\n").length).toBeLessThan(12);
	expect(written()).toEqual(before);
	// what the guides show is what the commands print
	const { stdout } = await promisify(execFile)(process.execPath, ["scripts/outputs.mjs", "--check", workspace]);
	expect(stdout).toBe("");
});
