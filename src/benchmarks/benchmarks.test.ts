import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { benchmarkProblems, deriveBenchmark, openBenchmark, streamBenchmark, writeBenchmark } from "#benchmarks";
import { type Chain, HopscopeError, Task } from "#domain";
import { sha256 } from "#store";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-benchmarks-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const about = {
	name: "tiny",
	title: "Tiny",
	description: "Two tasks.",
	licence: "CC0-1.0",
	sources: [{ name: "nobody", licence: "CC0-1.0", attribution: "nobody" }],
	knowledge: "tiny",
};

const answer = (value: string) => ({ type: "string" as const, value, accepted: [value] });

function chain(): Chain {
	return {
		hops: [
			{ id: "1", question: "Who?", modality: "text", needs: [], evidence: ["e1"], answer: answer("Ada") },
			{
				id: "2",
				question: "When was Ada born?",
				modality: "text",
				needs: [{ hop: "1", role: "bridge" }],
				evidence: ["e2"],
				answer: answer("1815"),
			},
		],
		sink: "2",
	};
}

function task(id: string, more: Partial<Task> = {}): Task {
	return Task.parse({ id, question: "When was she born?", answer: answer("1815"), chain: chain(), ...more });
}

async function withImage(dir: string): Promise<Task> {
	await mkdir(join(dir, "images"), { recursive: true });
	await writeFile(join(dir, "images/a.png"), "pixels");
	const image = { id: "a", file: "images/a.png", width: 1, height: 1, sha256: sha256("pixels") };
	return task("with-image", { images: [image] });
}

async function failure(promise: Promise<unknown>): Promise<HopscopeError> {
	const error = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(HopscopeError);
	return error as HopscopeError;
}

/** Writes a benchmark folder by hand, as a stranger's tool might, with the right hash. */
async function byHand(name: string, lines: string[], manifest: Record<string, unknown> = {}): Promise<string> {
	const dir = join(root, name);
	await mkdir(dir, { recursive: true });
	const text = lines.map((line) => `${line}\n`).join("");
	await writeFile(join(dir, "tasks.jsonl"), text);
	const whole = { ...about, version: 1, tasks: lines.length, hash: sha256(text), ...manifest };
	await writeFile(join(dir, "benchmark.json"), JSON.stringify(whole));
	return dir;
}

describe("a benchmark", () => {
	test("is read back as it was written, in order of id", async () => {
		const dir = join(root, "round-trip");
		const tasks = [task("b"), await withImage(dir), task("a")];
		const manifest = await writeBenchmark(dir, { manifest: about, tasks, card: "# Tiny" });
		const opened = await openBenchmark(dir);
		expect(opened.manifest).toEqual(manifest);
		expect(opened.tasks.map((one) => one.id)).toEqual(["a", "b", "with-image"]);
		expect(opened.tasks[2]).toEqual(tasks[1]);
		expect(await readFile(join(dir, "card.md"), "utf8")).toBe("# Tiny\n");
	});

	test("of equal tasks has equal hashes, whatever their order", async () => {
		const one = await writeBenchmark(join(root, "one"), { manifest: about, tasks: [task("a"), task("b")], card: "" });
		const two = await writeBenchmark(join(root, "two"), { manifest: about, tasks: [task("b"), task("a")], card: "" });
		expect(one.hash).toBe(two.hash);
	});

	test("that could not be opened again is not written", async () => {
		const dir = join(root, "refused");
		const error = await failure(writeBenchmark(dir, { manifest: about, tasks: [task("a"), task("a")], card: "" }));
		expect(error).toMatchObject({ code: "duplicate-task", exitCode: 2 });
		expect(existsSync(join(dir, "benchmark.json"))).toBe(false);
	});
});

describe("opening refuses with file, line, task and remedy", () => {
	test("a cycle", async () => {
		const looped = chain();
		looped.hops[0]?.needs.push({ hop: "2", role: "bridge" });
		const dir = await byHand("cycle", [JSON.stringify(task("fine")), JSON.stringify(task("round", { chain: looped }))]);
		const error = await failure(openBenchmark(dir));
		expect(error).toMatchObject({ code: "cycle", exitCode: 2 });
		expect(error.message).toContain("tasks.jsonl, line 2: task round: hops 1, 2 need one another in a cycle");
		expect(error.message).not.toContain("\n");
	});

	test("several problems: the first is told, the others counted and carried", async () => {
		const dir = await byHand("several", [
			JSON.stringify(task("a", { answer: answer("1816") })),
			'{"id": 3}',
			"{",
			JSON.stringify(task("a")),
		]);
		const error = await failure(openBenchmark(dir));
		expect(error.code).toBe("answer-differs");
		expect(error.message).toContain("line 1: task a");
		expect(error.message).toContain("and 3 more problems");
		const problems = error.facts.problems as { code: string; message: string }[];
		expect(problems.map((problem) => problem.code)).toEqual([
			"answer-differs",
			"bad-line",
			"bad-line",
			"duplicate-task",
		]);
		expect(problems[1]?.message).toMatch(/tasks\.jsonl, line 2: at id: /);
	});

	test.each([
		["missing", "images/none.png", "missing-image", "task t: image file"],
		["above", "../secret.png", "bad-line", "at images.0.file: must name a file inside the folder"],
		["hidden-above", "images/../../secret.png", "bad-line", "at images.0.file: must name a file inside the folder"],
		["absolute", "/etc/hostname", "bad-line", "at images.0.file: must name a file inside the folder"],
		["windows", "C:\\secret.png", "bad-line", "at images.0.file: must name a file inside the folder"],
		["folder", "images", "missing-image", "task t: image file"],
	])("an image file that is %s", async (name, file, code, message) => {
		const image = { id: "a", file, width: 1, height: 1, sha256: sha256("") };
		const dir = await byHand(name, [JSON.stringify({ ...task("t"), images: [image] })]);
		await mkdir(join(dir, "images"), { recursive: true });
		const error = await failure(openBenchmark(dir));
		expect(error).toMatchObject({ code, exitCode: 2 });
		expect(error.message).toContain(`line 1: ${message}`);
	});

	test("a pass over its tasks gives those without a problem, and ends in the same error", async () => {
		const lines = [JSON.stringify(task("a")), "{", JSON.stringify(task("a")), JSON.stringify(task("b"))];
		const dir = await byHand("streamed", lines);
		const { tasks } = await streamBenchmark(dir);
		for (const _pass of [1, 2]) {
			const given: string[] = [];
			const error = await failure(
				(async () => {
					for await (const { id } of tasks) given.push(id);
				})(),
			);
			expect(given).toEqual(["a", "b"]);
			expect(error).toMatchObject({ code: "bad-line", message: (await failure(openBenchmark(dir))).message });
		}
	});

	test("an image that is a link to elsewhere", async () => {
		await writeFile(join(root, "secret.png"), "secret");
		const image = { id: "a", file: "link.png", width: 1, height: 1, sha256: sha256("secret") };
		const dir = await byHand("link", [JSON.stringify(task("t", { images: [image] }))]);
		await symlink(join(root, "secret.png"), join(dir, "link.png"));
		expect((await failure(openBenchmark(dir))).code).toBe("unsafe-image");
	});

	test("tasks that were changed, cut or are missing", async () => {
		const line = JSON.stringify(task("a"));
		expect((await failure(openBenchmark(await byHand("hash", [line], { hash: "0".repeat(64) })))).code).toBe(
			"hash-differs",
		);
		expect((await failure(openBenchmark(await byHand("count", [line], { tasks: 2 })))).code).toBe("count-differs");
		expect((await failure(openBenchmark(join(root, "nowhere")))).code).toBe("no-benchmark");
	});

	test("a manifest that does not fit", async () => {
		const dir = await byHand("manifest", [], { licence: 7 });
		const error = await failure(openBenchmark(dir));
		expect(error.message).toContain("at licence");
		expect(error.exitCode).toBe(2);
	});
});

test("problems look evidence up where asked to", () => {
	const tasks = [task("a")];
	expect(benchmarkProblems({ dir: root, tasks })).toEqual([]);
	const problems = benchmarkProblems({ dir: root, tasks }, { resolves: (id) => id !== "e2" });
	expect(problems.map((problem) => problem.code)).toEqual(["unknown-evidence"]);
});

describe("a benchmark made of another", () => {
	const taskOf = (dir: string) => withImage(dir).then((shown) => [task("a"), shown, task("b")]);

	test("is the same whether its tasks are held, in any order, or come one after another", async () => {
		const from = join(root, "derived-from");
		await writeBenchmark(from, { manifest: about, tasks: await taskOf(from), card: "# Tiny" });
		const streamed = await streamBenchmark(from);
		const { tasks } = await openBenchmark(from);
		const how = "the same tasks.";
		const made = await Promise.all(
			[streamed.tasks, tasks, [...tasks].reverse()].map(async (given, at) => {
				const dir = join(root, `derived-${at}`);
				const manifest = await deriveBenchmark(streamed, dir, { name: "again", tasks: given, how });
				expect(await readFile(join(dir, "images/a.png"), "utf8")).toBe("pixels");
				return { manifest, lines: await readFile(join(dir, "tasks.jsonl"), "utf8") };
			}),
		);
		expect(made[1]).toEqual(made[0]);
		expect(made[2]).toEqual(made[0]);
	});

	test("is not there, and what stood there stays, where a task is refused after others were written", async () => {
		const from = join(root, "refused-from");
		await writeBenchmark(from, { manifest: about, tasks: await taskOf(from), card: "# Tiny" });
		const before = await readFile(join(from, "tasks.jsonl"), "utf8");
		const bad = [task("a"), task("z", { chain: { ...chain(), sink: "nowhere" } })];
		const streamed = await streamBenchmark(from);
		const fresh = join(root, "refused-fresh");
		const options = { name: "again", tasks: bad, how: "one of them bad.", force: true };
		expect((await failure(deriveBenchmark(streamed, fresh, options))).message).toContain("is not written");
		expect(existsSync(join(fresh, "benchmark.json"))).toBe(false);
		await failure(writeBenchmark(from, { manifest: about, tasks: bad, card: "# Tiny" }));
		expect(await readFile(join(from, "tasks.jsonl"), "utf8")).toBe(before);
		await openBenchmark(from);
	});
});
