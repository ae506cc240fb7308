import { appendFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunRecord } from "#domain";
import { openWorkbench } from "#workbench";
import { longTest } from "../../test/long.ts";
import { commandsOn } from "../../test/support/commands.ts";
import { makeTownsOfStudio, recordOfTown, writeStudioRun } from "../../test/support/studio-run.ts";

const towns = 40;
let workspace: string;
let records: RunRecord[];
const hopscope = commandsOn(() => workspace);
const run = () => join(workspace, "runs/made-up");
const index = () => join(run(), "index");

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-summarised-"));
	await makeTownsOfStudio(workspace, { towns });
	records = [
		recordOfTown(9, { towns, said: "an attempt that does not count" }),
		...Array.from({ length: towns - 3 }, (_, n) => recordOfTown(n, { towns, attempt: n === 9 ? 1 : 0 })),
		recordOfTown(4, { towns, repeat: 1 }),
	];
	// searched where its evidence stands, and missed
	for (const { trajectory } of records) for (const { call } of trajectory.steps) if (call) call.tool = "text_search";
	await writeStudioRun(workspace, { towns, repeats: 2, records });
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const segments = async () => (await readdir(index())).filter((name) => /^\d/.test(name)).sort();
const reported = async () => {
	const { code, json, err } = await hopscope("report", "made-up", "--json");
	expect(code, err).toBe(0);
	return json();
};

/** As told by every record: a file of labels, empty or not, has all of them opened. */
const byRecords = () => spokenOf(reported);
async function spokenOf<Told>(ask: () => Promise<Told>): Promise<Told> {
	await writeFile(join(run(), "labels.jsonl"), "");
	try {
		return await ask();
	} finally {
		await rm(join(run(), "labels.jsonl"));
	}
}

longTest("a run's figures, failures and diagnosis are the same by its index and by its records", async () => {
	const whole = await byRecords();
	await rm(index(), { recursive: true, force: true });
	expect(await reported()).toEqual(whole);
	expect((await readdir(index())).some((name) => name.endsWith(".parquet"))).toBe(true);
	expect(await reported()).toEqual(whole);
	expect(whole.runs[0].diagnosis.summary.recorded).toBe(towns - 2);
	expect(whole.runs[0].failures.shown.some(({ diagnosis }: { diagnosis: unknown }) => diagnosis)).toBe(true);
});

longTest("they follow what is recorded, scored and found later", async () => {
	const before = await reported();
	await hopscope("diagnose", "made-up");
	expect(await reported()).toEqual(await byRecords());
	await hopscope("score", "made-up", "--scoring", "relative-10");
	const after = await reported();
	expect(after).toEqual(await byRecords());
	expect([before.runs[0].scoring, after.runs[0].scoring]).toEqual(["hopscope", "relative-10"]);
	await hopscope("score", "made-up", "--scoring", "hopscope");
	await appendFile(join(run(), "records.jsonl"), `${JSON.stringify(recordOfTown(5, { towns, repeat: 1 }))}\n`);
	const grown = await reported();
	expect(grown).toEqual(await byRecords());
	expect(grown.runs[0].scored).toBe(before.runs[0].scored + 1);
});

longTest("scores are written from the index as scoring each record writes them", async () => {
	const rowsIn = async () =>
		(await readFile(join(run(), "scores.jsonl"), "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
	await hopscope("score", "made-up");
	const written = await rowsIn();
	await writeFile(join(run(), "labels.jsonl"), "");
	await hopscope("score", "made-up");
	await rm(join(run(), "labels.jsonl"));
	expect(written).toEqual(await rowsIn());
});

longTest(
	"a run is diagnosed without its records as with all of them, and its report knows the causes of misses",
	async () => {
		const file = join(run(), "findings.jsonl");
		const misses = 100_000;
		const bench = openWorkbench(workspace);
		for (const most of [misses, 3]) {
			const whole = await spokenOf(() => bench.diagnose("made-up", { misses: most }));
			const lines = await readFile(file, "utf8");
			const withCauses = await reported();
			await rm(file);
			expect(await bench.diagnose("made-up", { misses: most })).toEqual(whole);
			expect(whole.summary.misses.lookedInto).toBeGreaterThan(most === 3 ? 2 : 4);
			expect(await readFile(file, "utf8")).toBe(lines);
			const made = await segments();
			expect(await reported()).toEqual(withCauses);
			// what other misses said before is not kept
			await bench.diagnose("made-up", { misses: most });
			expect(await readFile(file, "utf8")).toBe(lines);
			expect(await segments()).toEqual(made);
		}
	},
);

longTest(
	"findings of others are adopted: what they say of misses is left out, and nothing is made twice afterwards",
	async () => {
		const file = join(run(), "findings.jsonl");
		const bench = openWorkbench(workspace);
		await bench.diagnose("made-up");
		const lines = await readFile(file, "utf8");
		await writeFile(file, lines.replaceAll(/"miss":\{[^}]*\}/g, '"miss":{"is":"not-in-knowledge-base"}'));
		const others = await reported();
		expect(others.runs[0].diagnosis.summary.misses.causes["not-in-knowledge-base"].count).toBeGreaterThan(4);
		const { summary } = await bench.diagnose("made-up", { misses: 0 });
		expect(summary.misses.lookedInto).toBe(0);
		expect(await readFile(file, "utf8")).toBe(lines.replaceAll(/,"miss":\{[^}]*\}/g, ""));
		const made = await segments();
		expect((await reported()).runs[0].diagnosis.summary.misses.lookedInto).toBe(0);
		await bench.diagnose("made-up");
		expect([await readFile(file, "utf8"), await segments()]).toEqual([lines, made]);
	},
);

longTest("a line that stands twice or is none is not passed over in silence", async () => {
	const file = join(run(), "records.jsonl");
	const content = await readFile(file, "utf8");
	const before = await reported();
	await appendFile(file, content.slice(0, content.indexOf("\n") + 1));
	const doubled = await hopscope("report", "made-up", "--json");
	expect(doubled.err).toContain("1 line of attempts that stand there already");
	expect(doubled.json().runs[0].spent).toEqual(before.runs[0].spent);
	await writeFile(file, content.replace("\n", "\nno record\n"));
	const broken = await hopscope("report", "made-up", "--json");
	expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("records.jsonl, line 2: not JSON")]);
	await writeFile(file, content);
});

test("what is recorded is known from the index, and read on where that ends", async () => {
	const { recordedIn } = await import("./recorded-in.ts");
	const { readRecorded } = await import("#runs");
	await reported();
	const [known, read] = [await recordedIn(run()), await readRecorded(run())];
	expect(known).toEqual(read);
	await appendFile(join(run(), "records.jsonl"), `${JSON.stringify(recordOfTown(6, { towns, repeat: 1 }))}\n{"torn`);
	const more = await recordedIn(run());
	expect(more.recorded).toEqual((await readRecorded(run())).recorded);
	expect(more.recorded).toHaveLength(known.recorded.length + 1);
	expect(more.warnings).toEqual([expect.stringContaining("torn last record dropped")]);
});

longTest("a record that somebody changed, and be it to as many bytes, is read again", async () => {
	const file = join(run(), "records.jsonl");
	await rm(join(run(), "findings.jsonl"), { force: true });
	await hopscope("score", "made-up");
	const content = await readFile(file, "utf8");
	const before = await reported();
	await writeFile(file, content.replace('"answer":"1500"', '"answer":"1501"'));
	const after = await reported();
	expect(after).toEqual(await byRecords());
	expect(after.runs[0].metrics.accuracy.value).toBeLessThan(before.runs[0].metrics.accuracy.value);
	await writeFile(file, content);
	expect(await reported()).toEqual(before);
});

longTest(
	"scores and findings that somebody wrote before a record was changed are not taken for what it says now",
	async () => {
		const [file, scored] = ["records.jsonl", "scores.jsonl"].map((name) => join(run(), name)) as [string, string];
		const content = await readFile(file, "utf8");
		await hopscope("score", "made-up");
		await openWorkbench(workspace).diagnose("made-up");
		await writeFile(scored, await readFile(scored, "utf8"));
		const before = await reported();
		await writeFile(file, content.replace('"answer":"1500"', '"answer":"1501"'));
		const after = await reported();
		expect(after).toEqual(await byRecords());
		expect(after.runs[0].metrics.accuracy.value).toBeLessThan(before.runs[0].metrics.accuracy.value);
		expect(after.runs[0].diagnosis.summary.misses.lookedInto).toBeGreaterThan(0);
		await writeFile(file, content);
		expect((await reported()).runs[0].metrics).toEqual(before.runs[0].metrics);
	},
);

longTest("without its knowledge base less is judged, which is said, and all once it is back", async () => {
	await rm(join(run(), "findings.jsonl"), { force: true });
	await hopscope("score", "made-up");
	const before = await reported();
	const [there, away] = ["knowledge/towns", "elsewhere"].map((folder) => join(workspace, folder)) as [string, string];
	await rm(join(run(), "findings.jsonl"), { force: true });
	await rename(there, away);
	const without = await hopscope("report", "made-up", "--json");
	expect(without.err).toContain("what only the texts of evidence can tell is not judged");
	expect(without.json()).toEqual(await byRecords());
	await rename(away, there);
	expect((await reported()).runs[0].diagnosis.summary.hops).toEqual(before.runs[0].diagnosis.summary.hops);
});

longTest("a segment of which a byte was changed is made again", async () => {
	await rm(index(), { recursive: true, force: true });
	const whole = await reported();
	const [name = ""] = await segments();
	const bytes = await readFile(join(index(), name));
	for (const at of [342, 500, bytes.length - 9]) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 0x55;
		await writeFile(join(index(), name), changed);
		expect(await reported()).toEqual(whole);
	}
});
