import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect } from "vitest";
import { type ReplyServer, replyServer } from "../src/models/index.ts";
import { longTest } from "./long.ts";

/*
 * A build is killed (SIGKILL, which nothing can catch) at random moments and gone on with; the server counts what it was
 * asked. The killed process is the built one.
 */

const units = 40;
const together = 4;
const kills = 4;

const built = (file: string) => JSON.stringify(pathToFileURL(resolve("dist-rooms", file)).href);

const program = `
import { createChatModel, openCachedReplies } from ${built("models/index.js")};
import { runBuild } from ${built("recipes/index.js")};
import { asking, recipeOf, townInputs } from ${built("support/towns.js")};
const [url, dir] = process.argv.slice(2);
const cache = openCachedReplies(dir + "/replies");
const generator = createChatModel("openai:toy@" + url, { cache, apiKey: "none" });
process.stdout.write("begun");
const end = await runBuild(recipeOf(asking, ["generator"]), townInputs(${units}), dir + "/build", {
	models: { generator },
	together: ${together},
});
process.stdout.write(JSON.stringify(end.funnel));
`;

let dir: string;
let server: ReplyServer;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-kill-build-"));
	await writeFile(join(dir, "program.mjs"), program);
	server = await replyServer(({ body }) =>
		JSON.stringify({ question: `How big is ${/Town \d+/.exec(JSON.stringify(body))?.[0]}?` }),
	);
});
afterEach(async () => {
	await server.close();
	await rm(dir, { recursive: true, force: true });
});

/** Runs the build; with `ms`, kills it so long after it began. Resolves with what it said, and with its exit code. */
function run(folder: string, ms?: number): Promise<{ code: number | null; out: string }> {
	const child = spawn(process.execPath, [join(dir, "program.mjs"), server.url, folder]);
	return new Promise((resolved, reject) => {
		let out = "";
		child.stdout.on("data", async (part: Buffer) => {
			const begins = out === "";
			out += part.toString();
			if (!begins || ms === undefined) return;
			await wait(ms);
			child.kill("SIGKILL");
		});
		child.stderr.on("data", (part: Buffer) => {
			out += part.toString();
		});
		child.on("error", reject);
		child.on("close", (code) => resolved({ code, out }));
	});
}

longTest("a killed build resumes without paying twice, and makes what an unkilled one makes", async () => {
	const whole = join(dir, "whole");
	expect((await run(whole)).code).toBe(0);
	const once = server.requests.length;
	expect(once).toBe(units);
	const killed = join(dir, "killed");
	let died = 0;
	for (let n = 0; n < kills; n += 1) if ((await run(killed, (n * 150) / kills)).code !== 0) died += 1;
	expect(died).toBeGreaterThan(0);
	const last = await run(killed);
	expect(last.out).toContain('"complete":true');
	// what was answered but not yet on disk when the process died is all that can be asked again
	expect(server.requests.length - once).toBeGreaterThanOrEqual(units);
	expect(server.requests.length - once).toBeLessThanOrEqual(units + died * together);
	const items = (folder: string) => readFile(join(folder, "build/items.jsonl"), "utf8");
	expect(await items(killed)).toBe(await items(whole));
});
