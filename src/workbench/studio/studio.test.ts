import { appendFile, cp, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunRecord } from "#domain";
import { ownScorers } from "#scoring";
import { writeJsonl } from "#store";
import { openWorkbench, type Studio } from "#workbench";
import { longTest } from "../../../test/long.ts";
import { commandsOn } from "../../../test/support/commands.ts";
import { makeTownsOfStudio, recordOfTown, writeStudioRun } from "../../../test/support/studio-run.ts";

const towns = 40;
const own = "../../../../secret";
let workspace: string;
let studio: Studio;
let records: RunRecord[];
const hopscope = commandsOn(() => workspace);

/** Texts that some answers say, each of another kind: long characters, quotes, capitals, what is escaped in JSON. */
const said: Record<number, string> = {
	2: "Größe der Straße",
	3: "鉄道の駅 \u202e 𝒳",
	6: 'he said "no" \\ then\nleft',
	7: "㩀㩀 looks alike byte by byte",
	8: "É and ÉCOLE",
};

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-studio-"));
	await makeTownsOfStudio(workspace, {
		towns,
		more: (n) =>
			n === 39 ? { images: [{ id: "a", file: "images/away.png", width: 1, height: 1, sha256: "a".repeat(64) }] } : {},
	}).catch(async () => makeTownsOfStudio(workspace, { towns }));
	await symlink("/etc/passwd", join(workspace, "benchmarks/towns/images/away.png"));
	records = [
		recordOfTown(9, { towns, said: "an attempt that does not count" }),
		...Array.from({ length: towns - 3 }, (_, n) =>
			recordOfTown(n, { towns, attempt: n === 9 ? 1 : 0, said: said[n] ?? "" }),
		),
		recordOfTown(4, { towns, repeat: 1 }),
	];
	await writeStudioRun(workspace, { towns, repeats: 2, records });
	studio = await openWorkbench(workspace).openStudio();
});
afterAll(async () => {
	await studio?.close();
	await rm(workspace, { recursive: true, force: true });
});

const rowsOf = (where: string, sort = "", run = "made-up") => studio.rows(run, { where, sort, offset: 0, limit: 500 });
const tasksOf = async (where: string) => (await rowsOf(where)).rows.map(({ task, repeat }) => `${task}·${repeat}`);

describe("the figures of a run", () => {
	longTest("are those of hopscope report and hopscope diagnose", async () => {
		const page = await studio.run("made-up");
		const [reported] = (await hopscope("report", "made-up", "--json")).json().runs;
		const fields = ({ value, low, high }: { value: unknown; low: unknown; high: unknown }) => ({ value, low, high });
		const shown = Object.fromEntries(page.metrics.map(({ name, estimate }) => [name, fields(estimate)]));
		expect(Object.keys(shown).length).toBeGreaterThan(10);
		for (const [name, estimate] of Object.entries(shown)) {
			const same = reported.metrics[name];
			expect([name, estimate]).toEqual([name, same ? fields(same) : estimate]);
		}
		expect(Object.keys(shown)).toEqual(expect.arrayContaining(["accuracy", "f1", "hps"]));
		const { summary } = (await hopscope("diagnose", "made-up", "--json", "--misses", "0")).json();
		expect(page.breaks.chains).toBe(summary.firstBroken[0].share.of);
		expect(page.breaks.places.map(({ share, count, verdicts }) => [fields(share), count, verdicts])).toEqual(
			summary.firstBroken.map(
				({ share, verdicts }: { share: { count: number; value: 0; low: 0; high: 0 }; verdicts: 0 }) => [
					fields(share),
					share.count,
					verdicts,
				],
			),
		);
		for (const [name, { records: count, accuracy }] of page.slices.flatMap(({ name: by, rows }) =>
			rows.map((row) => [`${by}: ${row.value}`, row] as const),
		))
			expect([name, count > 0, accuracy.n > 0]).toEqual([name, true, true]);
		expect(page.outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(towns * 2);
	});

	test("lead by their filters to as many tasks as they count", async () => {
		const { breaks, slices, outcomes } = await studio.run("made-up");
		const total = async (where: string) => (await rowsOf(where)).total;
		for (const { where, count } of breaks.places) expect([where, await total(where)]).toEqual([where, count]);
		expect(breaks.without).toBeGreaterThan(0);
		expect(await total(breaks.soundWhere)).toBe(breaks.sound);
		expect(await total(breaks.unobservedWhere)).toBe(breaks.unobserved);
		for (const { outcome, count } of outcomes)
			if (outcome !== "missing") expect([outcome, await total(`outcome:${outcome}`)]).toEqual([outcome, count]);
		const counted = breaks.places.reduce((sum, { count }) => sum + count, breaks.sound + breaks.unobserved);
		expect(counted).toBe(breaks.chains);
		for (const { where, records: count } of slices.flatMap(({ rows }) => rows)) {
			if (where === "") continue;
			const found = await rowsOf(where);
			expect([where, found.problems]).toEqual([where, []]);
			// one in forty tasks is planned twice and answered once, and a few are not answered at all
			expect([where, found.total > 0 && found.total < count]).toEqual([where, true]);
		}
		for (const { rows } of slices.filter(({ rows: some }) => some.every(({ where }) => where !== ""))) {
			const found = await Promise.all(rows.map(({ where }) => total(where)));
			expect(found.reduce((sum, one) => sum + one, 0)).toBe(await total(""));
		}
	});

	test("name columns that filters and orders take", async () => {
		const { columns } = await studio.run("made-up");
		for (const { name, numeric } of columns) {
			const { problems } = await rowsOf(numeric ? `${name}>=0` : `${name}:none`, `-${name}`);
			expect([name, problems]).toEqual([name, []]);
			// what is no column would be a text, which compares with anything
			expect([name, (await rowsOf(`${name}>many`)).problems]).toEqual([name, [expect.stringContaining(name)]]);
		}
		for (const { name, values } of (await rowsOf("")).facets)
			for (const { where, count } of values) expect([name, (await rowsOf(where)).total]).toEqual([name, count]);
	});

	test("are those of its line in the list, whose scores nobody kept", async () => {
		const page = await studio.run("made-up");
		const listed = async () => (await studio.runs()).runs.find(({ id }) => id === "made-up");
		await expect.poll(async () => (await listed())?.accuracy.value, { timeout: 20_000 }).not.toBeNull();
		expect(await listed()).toEqual(page.line);
		expect(page.line.accuracy).toEqual(page.metrics.find(({ name }) => name === "accuracy")?.estimate);
		expect(page.line.latency).toEqual(page.latency);
	});

	test("count what ended answers, alike errors together, and when they were given", async () => {
		const { errors } = await studio.run("made-up");
		expect(errors).toEqual([{ error: "model: the server went away", count: 8, where: expect.any(String) }]);
		const failed = await tasksOf(errors[0]?.where ?? "");
		expect(failed).toEqual(await tasksOf("outcome:error"));
		expect(failed).toHaveLength(8);
		const all = (await rowsOf("")).total;
		for (const [where, total] of [
			["at>=2026-01-01", all],
			["at<2026-01-01T00:00", 0],
			["at>2026-01-01T00:00:00.000Z", 0],
			["at>=2025-12-31T23:59 at<2026-01-02", all],
		] as const) {
			const { problems, total: found } = await rowsOf(where);
			expect([where, problems, found]).toEqual([where, [], total]);
		}
		expect((await tasksOf("time>1")).length).toBeGreaterThan(0);
		expect(await tasksOf("time>1")).toEqual(await tasksOf("seconds>1"));
	});

	test("count the last attempt of each", async () => {
		const page = await studio.run("made-up");
		expect(page.line.done + page.line.errors).toBe((await rowsOf("")).of);
		expect(await tasksOf("task:t9")).toEqual(["t9·0"]);
		expect((await studio.task("made-up", { task: "t9", repeat: 0 })).attempt).toBe(1);
	});
});

describe("a quoted text", () => {
	test("finds the records whose JSON holds it, and no others", async () => {
		const holds = (text: string) =>
			records
				.slice(1)
				.filter((record) =>
					JSON.stringify(record).toLowerCase().includes(JSON.stringify(text).slice(1, -1).toLowerCase()),
				)
				.map(({ task, repeat }) => `${task}·${repeat}`)
				.sort();
		const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
		for (const text of [
			"größe der straße",
			"鉄道",
			"\u202e",
			"𝒳",
			'said "no" \\',
			"é",
			"École",
			"then\nleft",
			"does not count",
			"server went away",
			"nowhere at all",
			"number 3",
		])
			expect([text, (await tasksOf(quoted(text))).sort()]).toEqual([text, holds(text)]);
	});

	test("at the borders of the pieces that are read", async () => {
		const size = 4 << 20;
		const word = "größte鉄道𝒳";
		const wanted: string[] = [];
		let file = "";
		for (let n = 0; n < 6; n++) {
			const record = recordOfTown(n, { towns, said: "@" });
			const [before = "", after = ""] = JSON.stringify(record).split("@");
			const begun = Buffer.byteLength(file + before);
			// the word across each border, another byte of it there each time
			const border = Math.ceil(begun / size) * size;
			const filled = n < 4 ? "-".repeat(border - begun - (n * 5 + 2)) : "-".repeat(n * 1000);
			const holds = n !== 5;
			file += `${before}${filled}${holds ? word : "größte鉄道"}${after}\n`;
			if (holds) wanted.push(`t${n}·0`);
		}
		const dir = await writeStudioRun(workspace, { id: "borders", towns, records: [] });
		await writeFile(join(dir, "records.jsonl"), file);
		const found = await rowsOf(`"${word}"`, "", "borders");
		expect(found.rows.map(({ task, repeat }) => `${task}·${repeat}`)).toEqual(wanted);
	});
});

describe("while a run goes on", () => {
	const shown = async (at: Studio, id: string) => {
		const { rows } = await at.rows(id, { where: "", sort: "", offset: 0, limit: 500 });
		return { rows, page: await at.run(id) };
	};
	/** The same asked of a studio that was opened just now. */
	const fresh = async (id: string) => {
		const other = await openWorkbench(workspace).openStudio();
		try {
			return await shown(other, id);
		} finally {
			await other.close();
		}
	};

	longTest("records, another attempt, scores, findings and a file written anew are all seen at once", async () => {
		const id = "growing";
		const dir = await writeStudioRun(workspace, { id, towns, records: [recordOfTown(1, { towns })] });
		const file = join(dir, "records.jsonl");
		const changes: (() => Promise<unknown>)[] = [
			() =>
				appendFile(
					file,
					`${JSON.stringify(recordOfTown(4, { towns }))}\n${JSON.stringify(recordOfTown(2, { towns })).slice(0, 50)}`,
				),
			() => appendFile(file, `${JSON.stringify(recordOfTown(2, { towns })).slice(50)}\n`),
			() =>
				appendFile(
					file,
					`${JSON.stringify(recordOfTown(5, { towns }))}\n${JSON.stringify({ ...recordOfTown(5, { towns, attempt: 1 }), task: "t4" })}\n`,
				),
			() => hopscope("score", id),
			() => hopscope("diagnose", id),
			() => appendFile(file, `${JSON.stringify(recordOfTown(7, { towns }))}\n`),
			() => rm(join(dir, "findings.jsonl")),
			() =>
				writeJsonl(
					file,
					[8, 9, 10, 11, 12, 13].map((n) => recordOfTown(n, { towns })),
				),
			() => writeJsonl(file, [recordOfTown(3, { towns })]),
			() => writeJsonl(file, []),
		];
		for (const [step, change] of changes.entries()) {
			await change();
			expect([step, await shown(studio, id)]).toEqual([step, await fresh(id)]);
		}
	});
});

test("what an agent states only later is taken into account for the answers before", async () => {
	const id = "states-late";
	const silent = (n: number) => {
		const { trajectory, ...record } = recordOfTown(n, { towns });
		const steps = trajectory.steps.map(({ subAnswer: _, ...step }) => step);
		return { ...record, trajectory: { ...trajectory, steps } };
	};
	const dir = await writeStudioRun(workspace, { id, towns, records: [1, 2, 3].map(silent) });
	const rows = async (of: Studio) => (await of.rows(id, { where: "", sort: "", offset: 0, limit: 500 })).rows;
	const before = await rows(studio);
	await appendFile(join(dir, "records.jsonl"), `${JSON.stringify(recordOfTown(5, { towns }))}\n`);
	const after = await rows(studio);
	expect(after.slice(0, 3)).not.toEqual(before);
	await rm(join(dir, "index"), { recursive: true });
	const fresh = await openWorkbench(workspace).openStudio();
	expect(after).toEqual(await rows(fresh));
	await fresh.close();
});

test("a run is indexed once, however many ask for it at the same time", async () => {
	const id = "asked-at-once";
	await writeStudioRun(workspace, { id, towns, records: [1, 2, 3].map((n) => recordOfTown(n, { towns })) });
	let asked = 0;
	const counting = {
		name: "counted",
		score: () => {
			asked += 1;
			return 1;
		},
	};
	const other = await openWorkbench(workspace).openStudio({ scorers: await ownScorers(counting, "here") });
	const query = { where: "", sort: "", offset: 0, limit: 9 };
	await Promise.all([
		other.rows(id, query),
		other.rows(id, query),
		other.next(id, { ...query, from: { task: "t1", repeat: 0 }, step: 1, failures: false }),
	]);
	expect(asked).toBe(3);
	await other.close();
});

describe("runs that stand elsewhere", () => {
	const elsewhere = join(tmpdir(), `hopscope-elsewhere-${process.pid}`);
	afterAll(() => rm(elsewhere, { recursive: true, force: true }));

	longTest("are shown and exported where their folders are named, and by no path", async () => {
		await rm(elsewhere, { recursive: true, force: true });
		const dir = join(elsewhere, "runs", "moved");
		await cp(join(workspace, "benchmarks"), join(elsewhere, "benchmarks"), { recursive: true });
		await cp(join(workspace, "knowledge"), join(elsewhere, "knowledge"), { recursive: true });
		await cp(join(workspace, "runs", "made-up"), dir, { recursive: true });
		const named = await openWorkbench(workspace).openStudio({ runs: [dir] });
		const { line, ...page } = await named.run("moved");
		const { line: own, ...same } = await studio.run("made-up");
		expect(line).toEqual({ ...own, id: "moved" });
		expect(page).toEqual(same);
		expect((await named.runs()).runs.map(({ id }) => id)).toEqual(expect.arrayContaining(["moved", "made-up"]));
		await expect(named.run(dir)).rejects.toMatchObject({ code: "unknown-run" });
		await expect(studio.run(dir)).rejects.toMatchObject({ code: "unknown-run" });
		await named.close();
		const out = join(elsewhere, "pages");
		const { code, err } = await hopscope("report", dir, "--format", "html", "--out", out);
		expect([code, err]).toEqual([0, expect.any(String)]);
		expect(await readdir(join(out, "data"))).toContain("moved.run.js");
	});
});

describe("pictures", () => {
	const named = (...parts: string[]) => Buffer.from(parts.join("\0")).toString("base64url");

	test("are those of a run's benchmark and knowledge base, by names that somebody was given", async () => {
		const { images } = await studio.task("made-up", { task: "t1", repeat: 0 });
		expect(await studio.media("made-up", images[0]?.name ?? "")).toBe(join(workspace, "benchmarks/towns/images/a.png"));
	});

	test("have no names that lead elsewhere", async () => {
		const names = [
			named("i", "t0", "a"),
			named("i", "t1", "../a"),
			named("i", "t1", "images/a.png"),
			named("i", "../t1", "a"),
			named("i", "t39", "a"),
			named("i", "__proto__", "a"),
			named("i", "t1", "a", "b"),
			named("e", "../../runs/made-up/records.jsonl"),
			named("e", "/etc/passwd"),
			named("e", "town#1"),
			named("x", "t1", "a"),
			...["", "..", own, "a.png", "%2e%2e%2f", "\0", "=".repeat(5000)],
		];
		for (const name of names)
			expect([name, await studio.media("made-up", name).catch(() => undefined)]).toEqual([name, undefined]);
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					fc.string(),
					fc.string().map((text) => named("i", "t1", text)),
				),
				async (name) => {
					const file = await studio.media("made-up", name);
					expect([undefined, join(workspace, "benchmarks/towns/images/a.png")]).toContain(file);
				},
			),
			{ numRuns: 200 },
		);
	});
});

longTest(
	"of one answer with 300 steps, 200 pictures and a text of 10 MB all is shown, and the text in parts",
	async () => {
		const record = recordOfTown(1, { towns });
		const [step] = record.trajectory.steps;
		const long = "äöü 鉄道\n".repeat(1_250_000).slice(0, 10_000_000);
		record.trajectory.steps = Array.from({ length: 300 }, (_, index) => ({
			...step,
			index,
			ms: 1,
			results: Array.from({ length: 20 }, (__, at) => ({ id: `town#${(index + at) % towns}`, score: 1, rank: at + 1 })),
		}));
		record.trajectory.messages = [
			{
				role: "user",
				content: Array.from({ length: 200 }, () => ({ type: "image", file: "images/a.png#xywh=1,2,3,4" })),
			},
			{ role: "assistant", content: [{ type: "text", text: long }] },
		];
		await writeStudioRun(workspace, { id: "long", towns, records: [record] });
		const key = { task: "t1", repeat: 0 };
		const page = await studio.task("long", key);
		expect(page.steps).toHaveLength(300);
		const listed = page.steps.every(({ results, more }) => results.length + more === 20);
		expect(listed).toBe(true);
		expect(JSON.stringify(page).length).toBeLessThan(2_000_000);
		const { of, messages } = await studio.messages("long", { ...key, offset: 0, limit: 50 });
		expect([of, messages[0]?.content.length]).toEqual([2, 200]);
		expect(messages[0]?.content[0]).toMatchObject({ picture: { width: 300 } });
		const [first] = messages[1]?.content ?? [];
		expect(JSON.stringify(messages).length).toBeLessThan(200_000);
		if (!first || !("text" in first)) throw new Error("no text");
		let whole = first.text;
		while (whole.length < first.length) {
			const part = await studio.text("long", { ...key, message: 1, part: 0, offset: whole.length });
			expect(part.length).toBeGreaterThan(0);
			whole += part;
			if (whole.length > 200_000) whole = long.slice(0, 9_800_000);
		}
		expect(whole === long).toBe(true);
		for (const beyond of [
			{ message: 9, part: 0 },
			{ message: 0, part: 0 },
			{ message: 1, part: 5 },
		])
			expect(await studio.text("long", { ...key, ...beyond, offset: 0 })).toBe("");
		const { facets } = await rowsOf("tokens>0", "-steps", "long");
		expect(facets.length).toBeGreaterThan(3);
	},
);
