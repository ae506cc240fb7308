import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect } from "vitest";
import { longTest } from "./long.ts";

/*
 * Processes that search a knowledge base, opening it again and again, while another updates it and is killed (SIGKILL) in
 * the middle. Every passage of a version says which one it is, so an answer of two versions shows.
 */

const built = (file: string) => JSON.stringify(pathToFileURL(resolve("dist-rooms", file)).href);

const reader = `
import { openKnowledge } from ${built("knowledge/index.js")};
const [dir] = process.argv.slice(2);
const versionOf = new Map();
let answers = 0;
let going = true;
process.on("SIGTERM", () => { going = false; });
process.stdout.write("begun\\n");
try {
	while (going) {
		const knowledge = await openKnowledge(dir);
		const { hash } = knowledge.manifest;
		for (let n = 0; n < 6 && going; n += 1) {
			const mode = ["lexical", "dense", "hybrid"][n % 3];
			const found = await knowledge.search({ text: "river town " + (answers % 40), target: "passage", mode, k: 8 });
			const versions = new Set(found.map(({ snippet }) => /edition(\\d+)/.exec(snippet)?.[1]));
			const [version] = versions;
			if (found.length !== 8 || versions.size !== 1) throw new Error("answers of " + [...versions] + ", " + found.length);
			if ((versionOf.get(hash) ?? version) !== version) throw new Error(hash + " is of " + versionOf.get(hash) + " and " + version);
			versionOf.set(hash, version);
			answers += 1;
		}
		knowledge.close();
	}
	process.stdout.write(JSON.stringify({ answers, versions: versionOf.size }) + "\\n");
} catch (error) {
	process.stdout.write(JSON.stringify({ answers, error: String(error?.message ?? error) }) + "\\n");
}
`;

const updater = `
import { createCorpus } from ${built("corpus/index.js")};
import { buildKnowledge } from ${built("knowledge/index.js")};
import { sha256 } from ${built("store/index.js")};
const [dir, first, count] = process.argv.slice(2);
for (let edition = Number(first); edition < Number(first) + Number(count); edition += 1) {
	const corpus = await createCorpus(dir + "/corpus", { name: "towns", licence: "CC0-1.0", sources: [] });
	for (let n = 0; n < 40; n += 1) {
		const text = "Town " + n + " by the river, edition" + edition + ".";
		const about = { kind: "passage", id: "town#" + n, document: "town-" + n, title: "Town " + n, language: "en", form: "prose" };
		corpus.add({ ...about, text, sha256: sha256(text), provenance: { source: "test" } });
	}
	await corpus.finish();
	await buildKnowledge(dir + "/corpus", dir + "/knowledge");
	process.stdout.write(edition + "\\n");
}
`;

let dir: string;
const running = new Set<ChildProcess>();
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-readers-"));
	await writeFile(join(dir, "reader.mjs"), reader);
	await writeFile(join(dir, "updater.mjs"), updater);
});
afterEach(async () => {
	for (const child of running) child.kill("SIGKILL");
	await rm(dir, { recursive: true, force: true });
});

function begin(program: string, ...args: string[]) {
	const child = spawn(process.execPath, [join(dir, program), ...args], { stdio: ["ignore", "pipe", "pipe"] });
	running.add(child);
	let out = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (part: Buffer) => {
			out += part.toString();
		});
	const ended = once(child, "close").then(() => {
		running.delete(child);
		return out;
	});
	const begun = once(child.stdout, "data");
	return { child, ended, begun };
}

/** Updates so many times, every second one killed after a while; what the readers said. */
async function readWhileUpdated({ readers, updates, kills }: { readers: number; updates: number; kills: number }) {
	await begin("updater.mjs", dir, "0", "1").ended;
	const reading = Array.from({ length: readers }, () => begin("reader.mjs", join(dir, "knowledge")));
	await Promise.all(reading.map(({ begun }) => begun));
	let edition = 1;
	for (let n = 0; n < kills; n += 1) {
		const update = begin("updater.mjs", dir, String(edition), "3");
		await update.begun;
		await wait((n * 97) % 250);
		update.child.kill("SIGKILL");
		await update.ended;
		edition += 3;
		expect(await begin("updater.mjs", dir, String(edition), "1").ended).toBe(`${edition}\n`);
		edition += 1;
	}
	await begin("updater.mjs", dir, String(edition), String(updates)).ended;
	for (const { child } of reading) child.kill("SIGTERM");
	const told = await Promise.all(
		reading.map(async ({ ended }) => JSON.parse((await ended).trim().split("\n").at(-1) ?? "")),
	);
	// one more update, with nobody reading: one version is left, and nothing of those that were killed
	await begin("updater.mjs", dir, String(edition + updates), "1").ended;
	return { told, left: await readdir(join(dir, "knowledge/versions")) };
}

longTest("a reader finds whole versions while another process updates", async () => {
	const { told, left } = await readWhileUpdated({ readers: 1, updates: 2, kills: 0 });
	expect(told).toEqual([{ answers: expect.any(Number), versions: expect.any(Number) }]);
	expect(left.length).toBe(1);
});

longTest("six readers find whole versions while another process updates and is killed", async () => {
	const { told, left } = await readWhileUpdated({ readers: 6, updates: 20, kills: 10 });
	for (const one of told) expect(one).toEqual({ answers: expect.any(Number), versions: expect.any(Number) });
	expect(told.reduce((sum, { versions }) => sum + versions, 0)).toBeGreaterThan(6);
	expect(left.length).toBe(1);
});
