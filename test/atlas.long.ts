// @module-tag long
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { openArchive, sha256 } from "#store";
import { temporaryFolder } from "./command-line.ts";

/** SHA-256 of every unpacked file of an archive, by its name: packed bytes may differ between versions of Node. */
async function hashFiles(file: string): Promise<Record<string, string>> {
	const archive = await openArchive(file);
	const hashes: Record<string, string> = {};
	for (const name of archive.names) {
		const bytes = (await archive.read(name)) ?? Buffer.alloc(0);
		hashes[name] = sha256(name.endsWith(".br") ? brotliDecompressSync(bytes) : bytes);
	}
	archive.close();
	return hashes;
}

test("the shipped sample is what its maker makes, whatever the locale, time zone, threads and cores", async () => {
	const folder = join(temporaryFolder(), "a much longer name of a folder");
	const place = { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", TZ: "Pacific/Chatham", UV_THREADPOOL_SIZE: "7" };
	const make = [process.execPath, "bench/make-sample.mjs", folder];
	const [command = "", ...args] = process.platform === "linux" ? ["taskset", "-c", "0", ...make] : make;
	await promisify(execFile)(command, args, { env: { ...process.env, NODE_OPTIONS: "", ...place } });
	const made = await hashFiles(join(folder, "sample/atlas.zip"));
	expect(made).toEqual(await hashFiles("sample/atlas.zip"));
	expect(Object.keys(made).length).toBeGreaterThan(800);
	const countries = "src/recipes/final-gate/countries.json";
	expect(await readFile(join(folder, countries), "utf8")).toBe(await readFile(countries, "utf8"));
});
