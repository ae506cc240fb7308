import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine } from "./command-line.ts";
import { longTest } from "./long.ts";
import { commandsOn, makeTowns, withChain } from "./support/commands.ts";

let root: string;
let client: Client;
beforeAll(async () => {
	root = mkdtempSync(join(tmpdir(), "hopscope-mcp-"));
	await makeTowns(root, { towns: 6, more: withChain });
	const run = commandsOn(() => root);
	await run("run", "-b", "towns", "-a", "gold-replay", "--name", "right");
	await run("run", "-b", "towns", "-a", "closed-book", "--name", "silent");
	client = new Client({ name: "test", version: "1" });
	const args = [commandLine, "mcp", "--workspace", root];
	await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
});
afterAll(async () => {
	await client?.close();
	rmSync(root, { recursive: true, force: true });
});

async function ask(name: string, given: Record<string, unknown> = {}) {
	const { content, isError } = await client.callTool({ name, arguments: given });
	const [first] = content as { type: string; text: string }[];
	return { text: first?.text ?? "", isError: isError === true };
}

longTest("an assistant lists the runs, sees which hop broke, looks at an attempt and compares two runs", async () => {
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual([
		...["list_runs", "diagnose_run", "list_failures", "show_task", "compare_runs", "search"],
	]);
	expect(tools.find(({ name }) => name === "show_task")?.inputSchema.required).toEqual(["run", "task"]);
	const { runs } = JSON.parse((await ask("list_runs")).text);
	expect(runs.map(({ id }: { id: string }) => id).sort()).toEqual(["right", "silent"]);
	expect((await ask("diagnose_run", { run: "silent" })).text).toMatch(/not planned/);
	const failures = JSON.parse((await ask("list_failures", { run: "silent", count: 2 })).text);
	expect(failures).toMatchObject({
		failed: 6,
		shown: [{ task: "t0", broke: { hop: "a", verdict: "not-planned" } }, {}],
	});
	expect(JSON.parse((await ask("list_failures", { run: "silent", verdict: "misread" })).text).failed).toBe(0);
	expect((await ask("show_task", { run: "right", task: "t3" })).text).toMatch(/How many inhabitants has Town 3\?/);
	expect((await ask("compare_runs", { a: "right", b: "silent" })).text).toMatch(/\| Accuracy \| A − B \| \+100 /);
	expect((await ask("search", { query: "inhabitants of Town 4", count: 1 })).text).toContain("town#4");
});

test("what is wrong is said to the assistant, and the next call is answered", async () => {
	expect(await ask("show_task", { run: "right" })).toMatchObject({
		isError: true,
		text: expect.stringMatching(/task/),
	});
	expect(await ask("diagnose_run", { run: "nowhere" })).toMatchObject({ isError: true });
	expect(await ask("diagnose_run", { run: "--help" })).toMatchObject({ isError: true });
	expect(await ask("drop_everything")).toMatchObject({ isError: true, text: "there is no tool drop_everything" });
	expect((await ask("list_runs", { count: 1 })).isError).toBe(false);
});
