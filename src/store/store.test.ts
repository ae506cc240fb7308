import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { HopscopeError } from "#domain";
import {
	canonicalJson,
	fileInside,
	openAppender,
	openWorkspace,
	parseLine,
	readJson,
	readJsonl,
	readLines,
	replaceFolder,
	sha256,
	sha256File,
	writeJson,
	writeJsonl,
	writeWhole,
} from "#store";
import { isLong } from "../../test/long.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-store-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const Row = z.object({ id: z.number(), text: z.string().optional() });
type Row = z.infer<typeof Row>;

async function rowsOf(file: string): Promise<{ rows: Row[]; warnings: string[] }> {
	const rows: Row[] = [];
	const warnings: string[] = [];
	for await (const row of readJsonl(file, Row, { onTorn: (warning) => warnings.push(warning) })) rows.push(row);
	return { rows, warnings };
}

async function failure(promise: Promise<unknown>): Promise<HopscopeError> {
	const error = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(HopscopeError);
	return error as HopscopeError;
}

describe("appended records", () => {
	test("cut at any byte, the whole ones are read and the next one starts on a line of its own", {
		tags: "longer",
	}, async () => {
		const file = join(root, "cut.jsonl");
		const record = fc.record({ id: fc.integer(), text: fc.string({ unit: "grapheme", maxLength: 12 }) });
		await fc.assert(
			fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(), async (records, where) => {
				const bytes = Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(""));
				const cut = where % (bytes.length + 1);
				await writeFile(file, bytes.subarray(0, cut));
				let whole = 0;
				let end = 0;
				for (const one of records) {
					end += Buffer.byteLength(JSON.stringify(one));
					if (end <= cut) whole += 1;
					end += 1;
				}
				const before = await rowsOf(file);
				expect(before.rows).toEqual(records.slice(0, whole));
				const next = { id: -1 };
				const appender = await openAppender(file, { flush: false });
				await appender.append(next);
				await appender.close();
				expect(await rowsOf(file)).toEqual({ rows: [...records.slice(0, whole), next], warnings: [] });
			}),
			{ numRuns: isLong ? 100 : 30 },
		);
	});

	test("cut at any byte, as by a crash, keep every whole record, and the next one stands on a line of its own", async () => {
		const records = [{ id: 0 }, { id: 1, text: "Ä\u2028" }, { id: 2, text: '{"id":1}' }];
		const bytes = Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(""));
		const file = join(root, "crashed.jsonl");
		for (let cut = 0; cut <= bytes.length; cut += 1) {
			await writeFile(file, bytes.subarray(0, cut));
			// a record that only lacks its line end is whole
			const whole = records.filter(
				(_, at) =>
					Buffer.byteLength(
						records
							.slice(0, at + 1)
							.map((one) => JSON.stringify(one))
							.join("\n"),
					) <= cut,
			);
			const appender = await openAppender(file, { flush: false });
			await appender.append({ id: -1 });
			await appender.close();
			expect(await rowsOf(file), `cut at byte ${cut}`).toEqual({ rows: [...whole, { id: -1 }], warnings: [] });
		}
	});

	test("a torn last record is told, with its line", async () => {
		const file = join(root, "torn.jsonl");
		await writeFile(file, '{"id":1}\n\n{"id":2,"te');
		expect(await rowsOf(file)).toEqual({ rows: [{ id: 1 }], warnings: [`${file}, line 3: torn last record dropped`] });
	});

	test("of many writers all come to stand, in the order in which they were handed over", async () => {
		const file = join(root, "deep/er/batches.jsonl");
		const appender = await openAppender(file);
		const rows = Array.from({ length: 500 }, (_, id) => ({ id, text: "é".repeat(id % 7) }));
		await Promise.all(rows.map((row) => appender.append(row)));
		await appender.append({ id: 500 });
		await appender.close();
		expect((await rowsOf(file)).rows).toEqual([...rows, { id: 500 }]);
	});

	test("count as done only when they are in the file", async () => {
		const file = join(root, "flushed.jsonl");
		const appender = await openAppender(file);
		for (let id = 0; id < 20; id += 1) {
			await appender.append({ id });
			expect((await rowsOf(file)).rows).toHaveLength(id + 1);
		}
		await appender.close();
	});

	test("closing waits for what is being written; after it nothing can be appended", async () => {
		const file = join(root, "closing.jsonl");
		const appender = await openAppender(file, { flush: false });
		const pending = appender.append({ id: 1 });
		await appender.close();
		await pending;
		expect((await rowsOf(file)).rows).toEqual([{ id: 1 }]);
		expect((await failure(appender.append({ id: 2 }))).code).toBe("cannot-write");
	});

	test("a long torn tail is cut whole", async () => {
		const file = join(root, "long-tail.jsonl");
		await writeFile(file, `{"id":1}\n{"text":"${"x".repeat(200_000)}`);
		const appender = await openAppender(file);
		await appender.append({ id: 2 });
		await appender.close();
		expect((await rowsOf(file)).rows).toEqual([{ id: 1 }, { id: 2 }]);
	});
});

describe("reading says what is wrong and where", () => {
	test("a line that does not fit", async () => {
		const file = join(root, "bad.jsonl");
		await writeFile(file, '{"id":1}\n{"id":"two"}\n{"id":3}\n');
		const error = await failure(rowsOf(file));
		expect(error).toMatchObject({ code: "bad-line", exitCode: 2, facts: { file, line: 2 } });
		expect(error.message).toMatch(/bad\.jsonl, line 2: at id: .*expected number/);
	});

	test("a line that is no JSON", async () => {
		const file = join(root, "no-json.jsonl");
		await writeFile(file, '{"id":1}\n{"id":\n{"id":3}\n');
		expect((await failure(rowsOf(file))).message).toContain("line 2: not JSON");
	});

	test("missing files and folders in their place", async () => {
		expect(await failure(rowsOf(join(root, "none.jsonl")))).toMatchObject({ code: "missing-file", exitCode: 2 });
		expect(await failure(rowsOf(root))).toMatchObject({ code: "not-a-file", exitCode: 2 });
		expect(await failure(readJson(join(root, "none.json"), Row))).toMatchObject({ code: "missing-file", exitCode: 2 });
		expect(await failure(readJson(root, Row))).toMatchObject({ code: "cannot-read" });
		await writeFile(join(root, "bad.json"), '{"id": "one"}');
		expect((await failure(readJson(join(root, "bad.json"), Row))).message).toContain("bad.json: at id: ");
	});

	test("lines of other systems: a byte order mark, carriage returns, blank lines, no last line end", async () => {
		const file = join(root, "foreign.jsonl");
		await writeFile(file, '\uFEFF{"id":1}\r\n\r\n  \n{"id":2}');
		expect((await rowsOf(file)).rows).toEqual([{ id: 1 }, { id: 2 }]);
		const numbers: [number, boolean][] = [];
		for await (const line of readLines(file)) numbers.push([line.number, line.whole]);
		expect(numbers).toEqual([
			[1, true],
			[4, false],
		]);
	});

	test("lines longer than a read and characters across its edge", async () => {
		const file = join(root, "wide.jsonl");
		const rows = [3, 1, 2].map((id) => ({ id, text: "€".repeat(700_000 + id) }));
		await writeJsonl(file, rows);
		expect((await rowsOf(file)).rows).toEqual(rows);
	});

	test("one line against a schema", () => {
		expect(parseLine('{"id":1}', Row)).toEqual({ value: { id: 1 } });
		expect(parseLine("[]", Row)).toHaveProperty("problem");
	});
});

describe("whole files", () => {
	test("are replaced at once: a reader sees the old or the new one", async () => {
		const file = join(root, "whole/value.json");
		await writeJson(file, { id: 0, text: "x".repeat(100_000) });
		let writing = true;
		const write = (async () => {
			for (let id = 1; id < 30; id += 1) await writeJson(file, { id, text: "x".repeat(100_000) });
			writing = false;
		})();
		let last = 0;
		while (writing) {
			const { id, text } = await readJson(file, Row);
			expect(text).toHaveLength(100_000);
			expect(id).toBeGreaterThanOrEqual(last);
			last = id;
		}
		await write;
		expect(await readdir(join(root, "whole"))).toEqual(["value.json"]);
	});

	test("that cannot be written leave the old one and nothing beside it", async () => {
		const dir = join(root, "failing");
		const file = join(dir, "rows.jsonl");
		const { count, hash } = await writeJsonl(file, [{ id: 1 }]);
		expect(count).toBe(1);
		expect(hash).toBe(await sha256File(file));
		async function* breaking() {
			yield { id: 2 };
			throw new Error("the source broke");
		}
		await expect(writeJsonl(file, breaking())).rejects.toThrow("the source broke");
		for (let again = 0; again < 50; again += 1)
			await expect(writeJsonl(file, breaking())).rejects.toThrow("the source broke");
		expect((await rowsOf(file)).rows).toEqual([{ id: 1 }]);
		await mkdir(join(dir, "taken/inside"), { recursive: true });
		await expect(writeWhole(join(dir, "taken"), "text")).rejects.toThrow();
		expect((await readdir(dir)).sort()).toEqual(["rows.jsonl", "taken"]);
	});

	test("half written by a killed process are removed; by a living one, on another machine, or of somebody else, not", async () => {
		const dir = join(root, "half-written");
		const here = sha256(hostname()).slice(0, 6);
		const gone = 2 ** 30;
		const others = [
			`rows.jsonl.${process.pid}-${here}00000001.part`,
			`rows.jsonl.${gone}-${here === "000000" ? "1" : "0"}0000000000001.part`,
			`rows.jsonl.${gone}-ab12.part`,
			"film.1234abcd.part",
		];
		await mkdir(dir);
		for (const name of [`rows.jsonl.${gone}-${here}00000001.part`, ...others]) await writeFile(join(dir, name), "half");
		await writeJson(join(dir, "value.json"), 1);
		expect((await readdir(dir)).sort()).toEqual([...others, "value.json"].sort());
	});
});

describe("a folder", () => {
	test("is replaced when its filling is done, and stays as it was when that fails", async () => {
		const dir = join(root, "replaced/knowledge");
		const fill = (text: string) => async (place: string) => {
			await writeFile(join(place, "marker.json"), text);
			if (text === "broken") throw new Error("the source broke");
			return text;
		};
		const read = () => readFile(join(dir, "marker.json"), "utf8");
		expect(await replaceFolder(dir, "marker.json", fill("one"))).toBe("one");
		await writeFile(join(dir, "left-over"), "");
		await expect(replaceFolder(dir, "marker.json", fill("broken"))).rejects.toThrow("the source broke");
		expect(await read()).toBe("one");
		await replaceFolder(dir, "marker.json", fill("two"));
		expect(await read()).toBe("two");
		expect(await readdir(dir)).toEqual(["marker.json"]);
		expect(await readdir(join(root, "replaced"))).toEqual(["knowledge"]);
	});

	test("left by a killed process is put back or removed, one that a living process fills is not touched", async () => {
		const parent = join(root, "killed");
		const dir = join(parent, "atlas");
		const gone = 2 ** 30;
		const mine = `.atlas.${process.pid}-ab12.part`;
		for (const name of [mine, `.atlas.${gone}-ab12.part`, ".atlas.cd34.part", ".atlas.two.ab12.part"])
			await mkdir(join(parent, name), { recursive: true });
		await mkdir(join(parent, `.atlas.${gone}-ab12.old`));
		await writeFile(join(parent, `.atlas.${gone}-ab12.old/marker.json`), "old");
		const broken = replaceFolder(dir, "marker.json", () => Promise.reject(new Error("the source broke")));
		await expect(broken).rejects.toThrow("the source broke");
		expect(await readFile(join(dir, "marker.json"), "utf8")).toBe("old");
		expect((await readdir(parent)).sort()).toEqual([mine, ".atlas.two.ab12.part", "atlas"].sort());
	});

	test("gives out what lies inside it and nothing else, links followed", async () => {
		const dir = join(root, "inside");
		await mkdir(join(dir, "images"), { recursive: true });
		await writeFile(join(root, "secret.png"), "secret");
		await writeFile(join(dir, "images/..1.png"), "one");
		await symlink(join(dir, "images"), join(dir, "also"));
		await symlink(root, join(dir, "up"));
		const real = await realpath(join(dir, "images/..1.png"));
		for (const name of ["images/..1.png", "also/..1.png"]) expect(fileInside(dir, name)).toBe(real);
		for (const name of ["../secret.png", join(root, "secret.png"), "up/secret.png", "none.png", ".", "", "a\0b"])
			expect(fileInside(dir, name), name).toBeUndefined();
	});

	test("that is somebody else's is not replaced", async () => {
		const dir = join(root, "foreign");
		await mkdir(dir);
		await writeFile(join(dir, "letters.txt"), "dear");
		const error = await failure(replaceFolder(dir, "marker.json", async () => {}));
		expect(error).toMatchObject({ code: "folder-in-use", exitCode: 2 });
		expect(await failure(replaceFolder(join(dir, "letters.txt"), "marker.json", async () => {}))).toMatchObject({
			code: "not-a-folder",
		});
		expect(await readdir(dir)).toEqual(["letters.txt"]);
	});
});

test("equal values have equal canonical text and hashes, whatever the order of their keys", () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
			const turned = Object.fromEntries(Object.entries(value).reverse());
			expect(canonicalJson(turned)).toBe(canonicalJson(value));
			expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
		}),
	);
	expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

describe("a workspace", () => {
	test("places what it holds, and nothing outside", async () => {
		const workspace = openWorkspace(join(root, "workspace"));
		expect(workspace.run("atlas-extractive-1")).toBe(join(root, "workspace/runs/atlas-extractive-1"));
		for (const name of ["../x", "..", ".", "", "a/b", "a\\b", "/etc", ".hidden", "a\0b", "a b", "x".repeat(200)])
			expect(() => workspace.knowledge(name), name).toThrow(HopscopeError);
		expect(workspace.benchmark("été-2.0")).toBe(join(root, "workspace/benchmarks/été-2.0"));
		fc.assert(
			fc.property(fc.string(), (name) => {
				try {
					expect(join(workspace.corpus(name), "..")).toBe(join(root, "workspace/corpora"));
				} catch (error) {
					expect(error).toMatchObject({ code: "bad-name", exitCode: 2 });
				}
			}),
		);
	});

	test("lists what exists, sorted, and nothing where there is nothing", async () => {
		const workspace = openWorkspace(join(root, "listed"));
		expect(await workspace.list("runs")).toEqual([]);
		await mkdir(workspace.run("b"), { recursive: true });
		await mkdir(workspace.run("a"), { recursive: true });
		await mkdir(join(root, "listed/runs/.atlas.ab12.part"));
		await writeFile(join(root, "listed/runs/note.txt"), "a file is no run");
		expect(await workspace.list("runs")).toEqual(["a", "b"]);
	});
});
