import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sha256 } from "#store";
import { longTest } from "../../test/long.ts";
import { openCachedReplies } from "./cached-replies.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-kept-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const key = sha256("a request");
const fileOf = (dir: string) => join(dir, key.slice(0, 2), `${key}.json`);

longTest("what was kept is given back as it was, to another process's reader too", async () => {
	const dir = join(root, "same");
	let n = 0;
	await fc.assert(
		fc.asyncProperty(fc.jsonValue(), fc.option(fc.array(fc.string()), { nil: undefined }), async (raw, ignored) => {
			n += 1;
			const one = sha256(String(n));
			const sent = { raw: JSON.parse(JSON.stringify(raw)) as unknown, ...(ignored ? { ignored } : {}) };
			expect(await openCachedReplies(dir).get(one)).toBeUndefined();
			await openCachedReplies(dir).put(one, sent, { id: "openai:m" });
			expect(await openCachedReplies(dir, { only: true }).get(one)).toEqual(sent);
		}),
		{ numRuns: 50 },
	);
});

test("many writers of one key leave one whole file", async () => {
	const dir = join(root, "many");
	const replies = Array.from({ length: 40 }, (_, n) => ({ raw: { n, text: "x".repeat(20_000) } }));
	await Promise.all(replies.map((reply) => openCachedReplies(dir).put(key, reply, {})));
	expect(replies).toContainEqual(await openCachedReplies(dir).get(key));
	expect(await readdir(join(dir, key.slice(0, 2)))).toEqual([`${key}.json`]);
});

test("a torn file at any byte, a foreign one and one of another key count as absent, and are replaced", async () => {
	const dir = join(root, "torn");
	const kept = openCachedReplies(dir);
	const sent = { raw: { text: "é" }, ignored: ["seed"] };
	await kept.put(key, sent, { id: "openai:m" });
	const whole = await readFile(fileOf(dir));
	for (let end = 0; end < whole.length - 1; end += 1) {
		await writeFile(fileOf(dir), whole.subarray(0, end));
		expect(await kept.get(key), `cut at ${end}`).toBeUndefined();
	}
	const foreign = ["", "null", "[]", '{"version":1}', "<html>", whole.toString().replace(key, sha256("other"))];
	for (const content of foreign) {
		await writeFile(fileOf(dir), content);
		expect(await kept.get(key), content.slice(0, 20)).toBeUndefined();
	}
	await kept.put(key, sent, {});
	expect(await kept.get(key)).toEqual(sent);
});

test("keys that are no hash lead nowhere", async () => {
	const kept = openCachedReplies(join(root, "keys"));
	for (const bad of ["", "../../secret", "a".repeat(63), `${"a".repeat(63)}/`, "A".repeat(64)]) {
		await kept.put(bad, { raw: 1 }, {});
		expect(await kept.get(bad)).toBeUndefined();
	}
	expect(await readdir(root)).not.toContain("keys");
});

test("a folder that cannot be written is told once and loses no reply", async () => {
	const dir = join(root, "blocked");
	await mkdir(root, { recursive: true });
	await writeFile(dir, "a file where the folder should be");
	const problems: string[] = [];
	const kept = openCachedReplies(dir, { onProblem: (problem) => problems.push(problem) });
	expect(await kept.get(key)).toBeUndefined();
	await kept.put(key, { raw: 1 }, {});
	await kept.put(key, { raw: 1 }, {});
	expect(problems).toHaveLength(1);
	expect(problems[0]).toContain("cannot be written");
});

test("a replay writes nothing", async () => {
	const dir = join(root, "replay");
	await openCachedReplies(dir, { only: true }).put(key, { raw: 1 }, {});
	expect(await openCachedReplies(dir).get(key)).toBeUndefined();
});
