// @module-tag long
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "#store";
import { commandLine, temporaryFolder } from "./command-line.ts";

const place = temporaryFolder();

/** Makes the Atlas in a process of its own, in another locale and time zone, with so many threads and cores. */
function make(name: string, env: Record<string, string>, cores?: string): Promise<string> {
	const workspace = join(place, name);
	const args = [commandLine, "make", "atlas", "--json", "--workspace", workspace];
	const [command, ...rest] =
		cores === undefined ? [process.execPath, ...args] : ["taskset", "-c", cores, process.execPath, ...args];
	return new Promise((resolve, reject) => {
		const child = spawn(command ?? "", rest, { env: { ...process.env, NODE_OPTIONS: "", ...env }, stdio: "ignore" });
		child.on("error", reject);
		child.on("close", (code) => (code === 0 ? resolve(workspace) : reject(new Error(`${name} ended with ${code}`))));
	});
}

/** SHA-256 of every file below a folder, by its path. */
function hashes(folder: string): Record<string, string> {
	const files = readdirSync(folder, { recursive: true })
		.map((name) => String(name))
		.sort();
	const found = files.filter((name) => statSync(join(folder, name)).isFile());
	return Object.fromEntries(found.map((name) => [name, sha256(readFileSync(join(folder, name)))]));
}

test("the Atlas is the same, byte for byte, whatever the locale, time zone, threads and cores", async () => {
	const plain = await make("one", { LANG: "C", LC_ALL: "C", TZ: "UTC", UV_THREADPOOL_SIZE: "1" });
	const onLinux = process.platform === "linux" ? "0" : undefined;
	const other = await make(
		"a much longer name of a folder",
		{ LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "Pacific/Chatham", UV_THREADPOOL_SIZE: "7" },
		onLinux,
	);
	for (const kind of ["benchmarks/atlas", "corpora/atlas", "builds/atlas", "knowledge/atlas/graph"]) {
		const [a, b] = [hashes(join(plain, kind)), hashes(join(other, kind))];
		// what a resumed build goes on from stands in the order in which work ended
		for (const found of [a, b]) delete found["journal.jsonl"];
		expect(b, kind).toEqual(a);
	}
	expect(Object.keys(hashes(join(plain, "benchmarks", "atlas"))).length).toBeGreaterThan(100);
});
