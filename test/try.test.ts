import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replyServer } from "#models";
import { longTest } from "./long.ts";
import { commandsOn } from "./support/commands.ts";

let root: string;
beforeAll(() => {
	root = mkdtempSync(join(tmpdir(), "hopscope-try-"));
	mkdirSync(join(root, "docs"));
	const write = (name: string, text: string) => writeFileSync(join(root, "docs", name), text);
	write("drill.md", "# The X200\n\nThe X200 drill is made by Brammer Works in the town of Oldhaven.\n");
	write("brammer.md", "# Brammer Works\n\nBrammer Works was founded by Ilse Tamm, a clockmaker.\n");
	write("moon.md", "# The moon\n\nThe moon has no drills.\n");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
const run = commandsOn(() => join(root, "workspace"));
const docs = () => join(root, "docs");

longTest(
	"answers a question over documents and shows the chain of evidence, reading unchanged documents once",
	async () => {
		const turns = [
			"<think>Who makes it?</think><text_search>X200 drill made by</text_search>",
			"<think>Brammer Works. Who founded it?</think><text_search>Brammer Works founder</text_search>",
			"<think>Ilse Tamm.</think><answer>Ilse Tamm</answer>",
		];
		const server = await replyServer(
			({ body }) => turns[body.messages.filter(({ role }) => role === "assistant").length] ?? "",
		);
		const model = ["--model", `openai:m@${server.url}`, "--agent", "tagged", "--no-cache"];
		const question = "Who founded the company that makes the X200?";
		const { code, out, err } = await run("try", docs(), question, ...model);
		await server.close();
		expect(code, err).toBe(0);
		const lines = out.split("\n");
		expect(lines[0]).toBe('1. "X200 drill made by"');
		expect(out).toMatch(/The X200 \[docs\/drill\.md\]: The X200 drill is made by Brammer Works/);
		expect(out).toMatch(/used in 2\.: .*Brammer/);
		expect(out).toMatch(/2\. "Brammer Works founder"\n {3}Brammer Works \[docs\/brammer\.md\]/);
		expect(out).toMatch(/Answer: Ilse Tamm\n {3}"Ilse Tamm" came back in 2\., Brammer Works/);
		const again = await run("try", docs(), question, "--json");
		expect(again.json()).toMatchObject({ agent: "retrieve", model: null, indexed: { documents: { ok: 3 } } });
	},
);

longTest("a name that stands in no result is said to stand in none", async () => {
	const server = await replyServer(() => "<think>I know.</think><answer>Otto Kranz</answer>");
	const model = ["--model", `openai:m@${server.url}`, "--agent", "tagged", "--no-cache"];
	const { out } = await run("try", docs(), "Who founded Brammer Works?", ...model);
	await server.close();
	expect(out).toMatch(/^It searched nothing\.\nAnswer: Otto Kranz\n {3}"Otto Kranz" stands in no result/);
});

test("without a model what is found is shown, and nothing is answered", async () => {
	const { code, out } = await run("try", docs(), "Which town is the X200 from?");
	expect(code).toBe(0);
	expect(out).toMatch(/The X200 \[docs\/drill\.md\]/);
	expect(out).toMatch(/Answer: none; it only searches/);
});

test("says what is missing", async () => {
	const said = async (...args: string[]) => (await run("try", ...args)).err;
	expect(await said("only a question")).toMatch(/documents and a question are needed/);
	expect(await said(join(root, "nowhere"), "What?")).toMatch(/there is no .*nowhere/);
	expect(await said(docs(), "What?", "--agent", "tagged")).toMatch(/tagged asks a model/);
	expect(await said(docs(), "What?", "--agent", "walker")).toMatch(/reads gold chains/);
});
