import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createProgramWorld } from "../../../test/support/agents/program-world.ts";
import { externalAgent } from "./agent.ts";

const world = createProgramWorld();
afterAll(world.remove);
const repository = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(repository, "docs/guides/your-own-agent.md"), "utf8");
const has = (program: string) => spawnSync(program, ["-c", ""]).status === 0;

/** The guide's program of a language, as it stands, in a file. */
function written(language: string, file: string): string {
	const [, program = ""] = new RegExp(`\`\`\`${language}\n([\\s\\S]+?)\`\`\``).exec(guide) ?? [];
	writeFileSync(join(world.folder, file), program);
	return join(world.folder, file);
}
const answer = (name: string) => externalAgent(name).answer(world.view(), world.context());

test.skipIf(!has("python3"))("the guide's Python program runs as it stands", async () => {
	const trajectory = await answer(`exec:python3 "${written("python", "agent.py")}"`);
	expect(trajectory).toMatchObject({ stop: "answered", steps: [{ call: { tool: "text_search", valid: true } }] });
	expect(trajectory.answer).toContain("Velmora");
});

test.skipIf(!has("sh"))("the guide's shell script runs as it stands", async () => {
	expect(await answer(`exec:sh "${written("sh", "agent.sh")}"`)).toMatchObject({
		answer: null,
		abstained: true,
		stop: "answered",
		steps: [{ thought: "I never know." }],
	});
});

test("the example of a service runs as it stands", async () => {
	const program = join(repository, "examples/outside/http-agent.mjs");
	const server = spawn(process.execPath, [program, "0"], { stdio: ["ignore", "pipe", "inherit"] });
	try {
		const [said] = (await once(server.stdout, "data")) as [Buffer];
		const trajectory = await answer(`http://127.0.0.1:${/\d+/.exec(String(said))?.[0]}/answer`);
		expect(trajectory).toMatchObject({ stop: "answered", steps: [{ results: [{ rank: 1 }, { rank: 2 }, {}] }, {}] });
		expect(trajectory.cited).toEqual([trajectory.steps[0]?.results[0]?.id]);
	} finally {
		server.kill();
	}
});

test("every variable that the guide names is set, and every one set is named", async () => {
	const seen = join(world.folder, "variables.json");
	const source = `require("node:fs").writeFileSync(${JSON.stringify(seen)}, JSON.stringify(Object.keys(process.env))); console.log("x");`;
	const upstream = { model: "m", baseUrl: "http://127.0.0.1:9/v1", headers: () => ({}) };
	const agent = externalAgent(`observe:${world.program("variables.cjs", source)}`);
	await agent.answer(world.view("image-chain"), world.context({ upstream }));
	const ours = /^(HOPSCOPE|OPENAI|ANTHROPIC)_[A-Z_]+$/;
	const named = new Set([...guide.matchAll(/\b(?:HOPSCOPE|OPENAI|ANTHROPIC)_[A-Z_]+/g)].map(([name]) => name));
	// that one is set by people, and passes others on
	named.delete("HOPSCOPE_PASS_ENV");
	const before = new Set(Object.keys(process.env).filter((name) => name.startsWith("HOPSCOPE_")));
	const set = (JSON.parse(readFileSync(seen, "utf8")) as string[]).filter(
		(name) => ours.test(name) && !before.has(name),
	);
	expect(set.sort()).toEqual([...named].sort());
});
