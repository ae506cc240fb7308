/** Checks of every recipe over tasks that it did not make: each must say something of each task, and none may fault. */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formats, openBenchmark } from "#benchmarks";
import { type Evidence, Task } from "#domain";
import { createGraph } from "#graph";
import { fakeKnowledge, type KnowledgeBase, openKnowledge } from "#knowledge";
import { type AuditReport, auditTasks, checksOf, paramsOf, recipes, rules } from "#recipes";
import { atlasFixture } from "../../../test/atlas.ts";
import { isLong, longTest } from "../../../test/long.ts";
import { makeSmallWorld } from "../../../test/small-world.ts";
import { sampleRows } from "../../../test/support/benchmarks/sample-rows.ts";
import { player } from "../../../test/support/recipes/player.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-foreign-"));
	await sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } }).toFile(join(dir, "i.png"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Plays every part that a check asks for, and finds nothing wrong with anything. */
const content = () =>
	player({
		"answer-from-evidence": () => ({ answer: null }),
		"judge-evidence": () => ({ answers: "yes" }),
		"inspect-question": () => ({ reason: "", keep: "yes", fault: "none" }),
		"inspect-walk": () => ({ reason: "", keep: "yes", failed: "none" }),
		"score-chain": () => ({ factual: 5, necessity: 5, clarity: 5, alignment: 5, comment: "" }),
		"find-confounders": () => ({ resolving: [] }),
		"judge-entity-need": () => ({ needed: true }),
		"judge-comparison": () => ({ problem: "none" }),
		"audit-inference": () => ({ valid: true, error_type: "none" }),
		"audit-comparison": () => ({ valid: true, error_type: "none" }),
		"solve-blind": () => ({ answer: null, confidence: 0 }),
		"judge-leak": () => ({ verdict: "sound" }),
		"meet-criterion": () => ({ holds: true, reason: "" }),
		"confirm-answer": () => ({ right: true }),
	});

/** Every rule and every check of every recipe over the tasks, with models in every role or in none. */
async function audit(tasks: Iterable<Task>, knowledge: KnowledgeBase, { asked }: { asked: boolean }) {
	const graph = createGraph({ entities: [], triples: [] });
	const inputs = { knowledge, graph, async *evidence(): AsyncGenerator<Evidence> {} };
	const groups = [{ name: "rules", checks: Object.values(rules) }];
	const roles = new Set<string>();
	for (const [name, load] of Object.entries(recipes)) {
		const recipe = await load();
		groups.push({ name, checks: checksOf(recipe.build(paramsOf(recipe, {}), inputs)) as (typeof groups)[0]["checks"] });
		for (const role of Object.keys(recipe.roles)) roles.add(role);
	}
	const model = content();
	const models = asked ? Object.fromEntries([...roles].map((role) => [role, model])) : {};
	const work = await mkdtemp(join(dir, "work-"));
	return { groups, report: await auditTasks(tasks, groups, { dir: work, models }) };
}

/** What is wrong with a report whatever the tasks: a check that faults, and totals that do not add up. */
function problemsOf({ items, rows }: AuditReport): string[] {
	return rows.flatMap((row) => {
		const { group, check, looked, passed, failed, skipped, faults, notApplicable, nothing, lacking } = row;
		const found = [
			faults > 0 && `${faults} faults`,
			looked !== passed + failed + skipped + faults && "what was looked at is more or less than the verdicts",
			looked + notApplicable !== items && `${looked} looked at and ${notApplicable} not applicable of ${items}`,
			notApplicable > 0 && !nothing && "not applicable without a reason",
			skipped > 0 && !lacking && "skipped without a reason",
		];
		return found.flatMap((problem) => (problem ? [`${group}: ${check}: ${problem}`] : []));
	});
}

/** What a row's check said of all tasks. */
function saidBy({ looked, passed, failed, skipped }: AuditReport["rows"][number]): string {
	if (looked === 0) return "not applicable";
	return passed === looked ? "pass" : failed === looked ? "fail" : skipped === looked ? "skipped" : "mixed";
}
const said = (report: AuditReport, group: string) =>
	Object.fromEntries(report.rows.flatMap((row) => (row.group === group ? [[row.check, saidBy(row)]] : [])));

/** Tasks and evidence of a file in a published form; what needs a mapping has the plainest. */
async function readAs(name: string, file: string) {
	const mapping = { id: "id", question: "question", answer: "answer", images: "images" };
	const reading = await formats[name]?.read?.([file], { images: dir, mapping });
	return { tasks: reading?.tasks ?? [], evidence: reading?.evidence ?? [] };
}

describe("every importer's sample", () => {
	const whole: Record<string, unknown> = {
		...sampleRows,
		webqa: { g: sampleRows.webqa },
		slidevqa: { qa_id: 1, question: "q", answer: "a", deck_name: "d", evidence_pages: [1] },
		parquet: {
			task: JSON.stringify({ id: "a", question: "q", answer: { type: "string", value: "a", accepted: ["a"] } }),
		},
	};
	test("no format lacks a sample", () => {
		const readable = Object.values(formats).filter(({ read }) => read);
		expect(Object.keys(whole).sort()).toEqual(readable.map(({ name }) => name).sort());
	});
	test.each(Object.keys(whole))("%s", { tags: "longer" }, async (name) => {
		const file = join(dir, name === "beir" ? "queries.json" : `${name}.json`);
		await writeFile(file, JSON.stringify(name === "webqa" ? whole[name] : [whole[name]]));
		const { tasks, evidence } = await readAs(name, file);
		expect(tasks.length).toBeGreaterThan(0);
		for (const asked of isLong ? [false, true] : [true]) {
			const { report } = await audit(tasks, fakeKnowledge(evidence), { asked });
			expect(report.items).toBe(tasks.length);
			expect(problemsOf(report)).toEqual([]);
		}
	});
});

describe("what is said of one question", () => {
	const alone = Task.parse({
		...{ id: "alone", question: "Who painted the ceiling of the chapel?", tags: { language: "en" } },
		answer: { type: "string", value: "Ana Prado", accepted: ["Ana Prado"] },
	});
	test("without evidence, a chain or an image nothing that looks at them applies, whoever could be asked", async () => {
		for (const asked of [false, true]) {
			const { report } = await audit([alone], fakeKnowledge(), { asked });
			expect(said(report, "mc-search")).toMatchObject({
				...{ "asked-topology": "not applicable", "have-first": "not applicable", quality: "not applicable" },
				...{ "no-confounders": "not applicable", "distinct-evidence": "not applicable" },
				...{ "answer-not-in-question": "pass", "bridges-hidden": "not applicable" },
			});
			expect(said(report, "double-bench")).toMatchObject({
				...{ "walk-determined-steps": "not applicable", "inspected-walk": "not applicable" },
				...{ "answering-pages": "not applicable", "names-its-subject": "pass", "few-pages": "not applicable" },
			});
			expect(said(report, "vistahop")).toMatchObject({
				...{ "clues-noted-again": "not applicable", "final-text-only": "not applicable" },
				...{ "visual-dependence": "not applicable", leakage: asked ? "pass" : "skipped" },
			});
			expect(said(report, "tracer")).toMatchObject({
				...{ solvable: "not applicable", "leave-one-out": "not applicable", audit: "not applicable" },
				"closed-book": asked ? "pass" : "skipped",
			});
		}
	});
	test("evidence that the knowledge base does not hold is lacking: nothing is judged without it", async () => {
		const { report } = await audit([{ ...alone, supporting: ["nowhere#1"] }], fakeKnowledge(), { asked: true });
		const row = report.rows.find(({ check }) => check === "have-first");
		expect(row).toMatchObject({ skipped: 1, lacking: "the knowledge base does not hold nowhere#1" });
		expect(said(report, "tracer").solvable).toBe("skipped");
		expect(problemsOf(report)).toEqual([]);
	});
});

/** Opens the knowledge base of a benchmark folder and audits its tasks, without models and some of them with. */
async function auditFolder(benchmark: string, knowledge: string): Promise<AuditReport[]> {
	const { tasks } = await openBenchmark(benchmark);
	const some = tasks.filter((_, at) => at % Math.ceil(tasks.length / 40) === 0);
	const opened = await openKnowledge(knowledge);
	try {
		return [(await audit(tasks, opened, { asked: false })).report, (await audit(some, opened, { asked: true })).report];
	} finally {
		await opened.close();
	}
}

longTest("a small world of words, images, pages and computations", async () => {
	const world = await makeSmallWorld(join(dir, "world"), { countries: 2 });
	for (const report of await auditFolder(world.benchmark, world.knowledge)) {
		expect(report.items).toBe(8);
		expect(problemsOf(report)).toEqual([]);
	}
});

longTest("the Atlas", async () => {
	const atlas = await atlasFixture();
	for (const report of await auditFolder(atlas.benchmark, atlas.knowledge)) {
		expect([480, 40]).toContain(report.items);
		expect(problemsOf(report)).toEqual([]);
	}
});

const released = join("..", "shared/data/forms");
describe("rows as they were released, where they are at hand", () => {
	longTest.skipIf(!existsSync(released)).each([
		["dyn-vqa", "DynVQA_en.202502.sample.jsonl"],
		["mmdocir", "MMDocIR_annotations.sample.jsonl"],
		["multimodalqa", "MMQA_dev.sample.jsonl"],
		["double-bench", "double-bench.single.sample.json"],
		["flashrag", "flashrag-nq.sample.jsonl"],
		["hotpotqa", "hotpotqa.sample.json"],
		["musique", "musique.sample.jsonl"],
		["tracer", "tracer-official-rows.jsonl"],
		["two-wiki", "two-wiki.sample.json"],
	])("%s", async (name, file) => {
		const { tasks, evidence } = await readAs(name, join(released, file));
		for (const asked of [false, true]) {
			const { report } = await audit(tasks, fakeKnowledge(evidence), { asked });
			expect(report.items).toBe(tasks.length);
			expect(problemsOf(report)).toEqual([]);
		}
	});
});
