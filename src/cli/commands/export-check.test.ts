import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trainingWriters } from "#training";
import { commandsOn } from "../../../test/support/commands.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "export-check-"));
});
const hopscope = commandsOn(() => dir);
afterAll(() => rm(dir, { recursive: true }));

const message = (role: "user" | "assistant", text: string) => ({
	role,
	content: [{ type: "text" as const, text }],
	train: role === "assistant",
});

test("tells what a trainer would drop, and exits 1 for it", async () => {
	const to = join(dir, "set");
	await mkdir(to);
	const source = { kind: "chain" as const, benchmark: "toy", agent: "stepwise" };
	const messages = [message("user", "Who?"), message("assistant", "Ann.")];
	await trainingWriters.llamafactory.write([{ id: "a", task: "a", source, messages, images: [], tags: {} }], to);
	const clean = await hopscope("export", "check", to, "--json");
	expect([clean.code, clean.json()]).toMatchObject([0, { rows: 1, whole: 1, clean: true, cutoff: 2048 }]);
	const file = join(to, "search_align.jsonl");
	await writeFile(file, (await readFile(file, "utf8")).replace('"user"', '"human"'));
	const broken = await hopscope("export", "check", to);
	expect(broken.code).toBe(1);
	expect(broken.out).toContain("unknown-role (drops, 1 row)");
	expect((await hopscope("export", "check", dir)).code).toBe(2);
});

test("reads pairs back by the trainer that they were written for", async () => {
	const to = join(dir, "pairs");
	await mkdir(to);
	await writeFile(
		join(to, "retriever.jsonl"),
		'{"query":"q","pos":["a"],"neg":["b"]}\n{"query":"q","pos":["a"],"neg":[]}\n',
	);
	const read = await hopscope("export", "check", to);
	expect(read.code).toBe(1);
	expect(read.out).toContain("FlagEmbedding 1.4.2");
	expect(read.out).toContain("no-negative (stops, 1 row)");
});
