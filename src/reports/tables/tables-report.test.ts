import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnose } from "#diagnosis";
import {
	buildViews,
	plotImages,
	type ReportRun,
	reportData,
	type TablesReport,
	tablesReport,
	viewBuilders,
	viewNamed,
} from "#reports";
import { longTest } from "../../../test/long.ts";
import { hostileRun, makeWorld, playRun, type World } from "../../../test/report-runs.ts";

let dir: string;
let world: World;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-tables-report-"));
	world = await makeWorld(dir, { count: 40 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const skill = { agent: "extractive", find: 0.7, read: 0.8, wander: 0.2 };

async function reported(runs: ReportRun[]): Promise<TablesReport> {
	const [data, views] = [await reportData(runs, { failures: false }), await buildViews(runs, { builders: fast })];
	return tablesReport(runs, { data, views });
}
const fast = viewBuilders.filter(({ slow }) => !slow);

async function diagnosed(run: ReportRun): Promise<ReportRun> {
	const diagnoses = await Promise.all(
		run.records.flatMap((record) => {
			const task = run.tasks.find(({ id }) => id === record.task);
			const row = run.rows.find((one) => one.task === record.task);
			return task ? [diagnose({ task, record, row }, { evidence: run.evidence })] : [];
		}),
	);
	return { ...run, diagnoses };
}

const leadOf = ({ parts }: TablesReport): string => parts[0]?.lead.map(({ text }) => text).join("") ?? "";

describe("the tables of runs", () => {
	longTest("stand part by part, what is said of hops and every further view once", async () => {
		const report = await reported([
			await diagnosed(playRun(world, { ...perfect, agent: "oracle", reference: "is handed the evidence" })),
			await diagnosed(playRun(world, skill)),
		]);
		expect(report.title).toBe("made-up");
		const [part] = report.parts;
		expect(part?.sections.map(({ title }) => title)).toEqual([
			"Ranking",
			"Outcomes",
			"Slices",
			"Where it breaks",
			"What the diagnosis says",
		]);
		expect(leadOf(report)).toMatch(/^extractive answers \d\d\u00a0% right \(95 % interval \d\d–\d\d\)/);
		expect(leadOf(report)).toContain("For comparison: oracle (is handed the evidence) 100");
		expect(part?.sections.at(-1)?.notes.every((note) => /^(extractive|oracle): /.test(note))).toBe(true);
		const ofParts = part?.sections.flatMap(({ views }) => views.map(({ name }) => name)) ?? [];
		expect(ofParts).toContain("modality-coverage");
		expect(report.views.map(({ name }) => name)).toContain("hop-verdicts");
		expect(report.views.filter(({ name }) => ofParts.includes(name))).toEqual([]);
		expect(report.views.every(({ rows }) => rows.length > 0)).toBe(true);
		expect(report.glossary.map(({ title }) => title)).toContain("What the diagnosis says of a hop");
		expect(report.glossary.flatMap(({ terms }) => terms).find(({ id }) => id === "misread")?.meaning).toBeTruthy();
		expect(report.facts.map(({ name }) => name)).toContain("Knowledge base");
	});

	test("name no winner that mostly failed to answer, and say of a run what was not scored", async () => {
		const flaky = playRun(world, { ...perfect, agent: "flaky" });
		flaky.rows = flaky.rows.slice(0, 4);
		const steady = playRun(world, { ...perfect, agent: "steady", read: 0.9 });
		expect(leadOf(await reported([flaky, steady]))).toMatch(
			/^steady answers .*no significant difference to another run, so no winner/,
		);
		expect(leadOf(await reported([flaky]))).toMatch(/of the 4 answers scored, 10–100\u00a0% of the 40 expected/);
	});

	test("keep benchmarks and interventions apart, and hold without runs", async () => {
		const [one, other, rerun] = [playRun(world, skill), playRun(world, skill), playRun(world, skill)];
		other.manifest = {
			...other.manifest,
			id: "on-another",
			benchmark: { ...other.manifest.benchmark, name: "another" },
		};
		rerun.manifest = {
			...rerun.manifest,
			id: "changed",
			intervention: { of: one.manifest.id, what: { is: "oracle-retrieval" } },
		};
		const report = await reported([one, other, rerun]);
		expect(report.parts.map(({ heading }) => heading)).toEqual([
			"made-up",
			"another",
			"made-up, intervention oracle-retrieval",
		]);
		expect(report.parts[2]?.sections[0]?.title).toBe("Under the intervention");
		expect(report.parts[2]?.lead[0]?.text).toContain("Interventions are no scores of an agent");
		const none = await reported([]);
		expect([none.title, none.parts, none.views]).toEqual(["No runs", [], []]);
	});
});

test("plots are documents that stand alone, whatever the runs are called", { tags: "longer" }, async () => {
	const attacked = hostileRun(world);
	attacked.manifest.agent.name = '</text></svg><script>alert(1)</script>&"\u0000\u202e]]>';
	const views = await buildViews([attacked, playRun(world, skill)], {
		builders: ["by-topology", "f1-by-length", "modality-coverage"].flatMap((name) => viewNamed(name) ?? []),
	});
	const plots = (await Promise.all(views.map(plotImages))).flat();
	expect(plots.length).toBeGreaterThan(2);
	for (const { svg, alt, width, height, legend } of plots) {
		// what draws pictures reads them as strictly as a browser does
		const drawn = await sharp(Buffer.from(svg)).metadata();
		expect([drawn.width, drawn.height]).toEqual([width, height]);
		expect(svg).not.toMatch(/<script|<image|href|url\(/);
		expect(alt).toContain("figures are those of the table");
		for (const series of legend) await sharp(Buffer.from(series.svg)).metadata();
	}
});

const perfect = { agent: "perfect", find: 1, read: 1, wander: 0 };
