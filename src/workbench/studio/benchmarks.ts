/** Benchmarks as the studio's pages have them: task by task, with what checks, builds and reviews say of each. */
import { join } from "node:path";
import { type Benchmark, openBenchmark } from "#benchmarks";
import { BenchmarkManifest, type CheckRecord, clip, HopscopeError, type Item, type Task, usageError } from "#domain";
import { openReviewFolder, reviewInWords, reviewStanding, settle } from "#recipes";
import { fileInside, readJson } from "#store";
import {
	type BenchmarkChecked,
	type BenchmarkLine,
	type BenchmarkNext,
	type BenchmarkPage,
	type BenchmarkRows,
	type BenchmarkTask,
	benchmarkColumns,
	benchmarkFacets,
	benchmarkRow,
	benchmarkTable,
	benchmarkTask,
	besideIn,
	type CheckedBenchmark,
	checkPage,
	facetsOf,
	type GoldEvidence,
	goldCard,
	mediaNamed,
	problemsByTask,
	quote,
	type RowsQuery,
	type SaidOfTasks,
	select,
	type Table,
} from "#studio";
import { checkOneBenchmark } from "../check-benchmark.ts";
import { itemsBehind } from "../items-behind.ts";
import { listRuns } from "../manage-runs.ts";
import { stampOf } from "../read-when-changed.ts";
import type { Bench } from "../work.ts";
import type { studioKnowledge } from "./knowledge.ts";

/** A benchmark opened for its pages. */
interface Opened {
	benchmark: Benchmark;
	byId: ReadonlyMap<string, Task>;
	/** What its tasks were in the build that made them; empty where it was not made here. */
	items: ReadonlyMap<string, Item>;
	review: BenchmarkPage["review"];
	said: SaidOfTasks;
	table: Table;
	check?: Checking;
}

interface Checking {
	at: { work: string; done: number; total: number | null };
	report?: CheckedBenchmark;
	error?: unknown;
}

const mostOpen = 4;
const mostEvidence = 40;

export function studioBenchmarks(knowledge: Pick<ReturnType<typeof studioKnowledge>, "open" | "media">, bench: Bench) {
	const { workspace } = bench;
	const opened = new Map<string, { stamp: string; opening: Promise<Opened> }>();
	const closing = new AbortController();
	let checking: Promise<unknown> = Promise.resolve();

	/** The benchmark as it is now; names come from addresses, so only what the workspace lists is opened. */
	async function open(name: string): Promise<Opened> {
		if (!(await workspace.list("benchmarks")).includes(name))
			throw usageError("unknown-benchmark", `there is no benchmark "${clip(name, 80)}"`, "It may have been removed.");
		const stamp = await stampOf(filesOf(workspace.benchmark(name), workspace.build(name)));
		const known = opened.get(name);
		const opening = known?.stamp === stamp ? known.opening : openOne(name, bench);
		opened.delete(name);
		opened.set(name, { stamp, opening });
		opening.catch(() => opened.delete(name));
		for (const oldest of opened.keys()) if (opened.size > mostOpen) opened.delete(oldest);
		return opening;
	}

	async function manifestOf(name: string): Promise<BenchmarkManifest> {
		return readJson(join(workspace.benchmark(name), "benchmark.json"), BenchmarkManifest);
	}

	/** Looks in the background; what it found joins the columns of the tasks. */
	function begin(name: string, own: Opened): Checking {
		const check: Checking = { at: { work: "opening", done: 0, total: null } };
		const progress: Bench["progress"] = () => ({
			update: (done, total = 0, detail = "") => {
				check.at = { work: detail, done, total: total || null };
			},
			end: () => undefined,
		});
		const signal = AbortSignal.any([bench.signal, closing.signal]);
		const checked = checkOneBenchmark(name, {}, { ...bench, progress, signal }).then(
			(report) => {
				check.report = report;
				own.said = { ...own.said, problems: problemsByTask(report) };
				own.table = benchmarkTable(own.benchmark.tasks, own.said);
			},
			(error: unknown) => {
				check.error = error;
			},
		);
		checking = Promise.all([checking, checked]);
		return check;
	}

	return {
		async list(): Promise<BenchmarkLine[]> {
			const { runs } = await listRuns({ all: true }, bench);
			return Promise.all(
				(await workspace.list("benchmarks")).map(async (name): Promise<BenchmarkLine> => {
					const own = runs.filter(({ benchmark }) => benchmark === name).length;
					try {
						const { title, tasks, knowledge, licence, recipe } = await manifestOf(name);
						const about = {
							title: clip(title, 200),
							knowledge,
							licence: clip(licence, 100),
							recipe: recipe?.name ?? null,
						};
						return { name, problem: null, tasks, runs: own, ...about };
					} catch (error) {
						if (!(error instanceof HopscopeError)) throw error;
						const nothing = { title: "", tasks: 0, knowledge: "", licence: "", recipe: null };
						return { name, problem: clip(error.message, 300), runs: own, ...nothing };
					}
				}),
			);
		},
		/** Names of the benchmarks whose evidence a knowledge base holds. */
		async over(wanted: string): Promise<string[]> {
			const names = await workspace.list("benchmarks");
			const manifests = await Promise.all(names.map((name) => manifestOf(name).catch(() => undefined)));
			return names.filter((_, at) => manifests[at]?.knowledge === wanted);
		},
		async page(name: string): Promise<BenchmarkPage> {
			const { benchmark, items, table, review } = await open(name);
			const { manifest } = benchmark;
			const { runs } = await listRuns({ all: true, benchmark: name }, bench);
			return {
				...aboutOf(benchmark),
				knowledge: {
					name: manifest.knowledge,
					there: (await workspace.list("knowledge")).includes(manifest.knowledge),
				},
				columns: benchmarkColumns(table),
				runs: runs.map(({ id, at, agent, model, intervention, done, total, accuracy }) => ({
					...{ id, at, agent, model, done, total, accuracy },
					intervention: intervention?.what ?? null,
				})),
				made: madeOf(items),
				review,
			};
		},
		async check(name: string): Promise<BenchmarkChecked> {
			const own = await open(name);
			own.check ??= begin(name, own);
			const { report, error, at } = own.check;
			if (report) return { is: "made", page: checkPage(report) };
			if (error === undefined) return { is: "making", ...at };
			// the next who asks tries again
			delete own.check;
			throw error;
		},
		async rows(name: string, { offset, limit, ...query }: RowsQuery): Promise<BenchmarkRows> {
			const { table, benchmark, said } = await open(name);
			const { rows, terms, problems } = select(query, table);
			return {
				of: table.rows,
				total: rows.length,
				rows: Array.from(rows.subarray(offset, offset + limit), (row) =>
					benchmarkRow(benchmark.tasks[row] as Task, said),
				),
				facets: offset === 0 ? facetsOf(terms, table, benchmarkFacets(table)) : [],
				problems,
			};
		},
		async task(name: string, id: string): Promise<BenchmarkTask> {
			const { benchmark, byId, items, said, check } = await open(name);
			const task = taskNamed(byId, id);
			const { ladder } = task;
			const series = ladder ? benchmark.tasks.filter((one) => one.ladder?.id === ladder.id) : [];
			return benchmarkTask(task, {
				checked: check?.report,
				item: items.get(id),
				review: said.review.get(id) ?? "",
				ladder: series
					.map((one) => ({ task: one.id, level: one.ladder?.level ?? 0 }))
					.sort((a, b) => a.level - b.level),
			});
		},
		async next(name: string, { from, step, ...query }: BenchmarkNext): Promise<{ task: string; index: number } | null> {
			const { table, benchmark, byId } = await open(name);
			const row = benchmark.tasks.indexOf(taskNamed(byId, from));
			const { rows } = select(query, table);
			const index = besideIn(rows, { from: row, step });
			const task = index === undefined ? undefined : benchmark.tasks[rows[index] ?? -1];
			return index === undefined || !task ? null : { task: task.id, index };
		},
		async evidence(name: string, { task: id, hop: wanted }: { task: string; hop: string }): Promise<GoldEvidence> {
			const { benchmark, byId } = await open(name);
			const task = taskNamed(byId, id);
			const hop = task.chain?.hops.find((one) => one.id === wanted);
			const ids = hop ? hop.evidence : wanted === "" ? (task.supporting ?? []) : [];
			const base = ids.length === 0 ? undefined : await knowledge.open(benchmark.manifest.knowledge);
			const shown = ids.slice(0, mostEvidence);
			const found = await Promise.all(shown.map((one) => base?.evidence(one)));
			const accepted = (hop ?? task).answer.accepted;
			return { of: ids.length, evidence: shown.map((one, at) => goldCard(one, found[at], accepted)) };
		},
		/** The file of a question's picture, or of a picture of its knowledge base. */
		async media(name: string, media: string): Promise<string | undefined> {
			const of = mediaNamed(media);
			const { benchmark, byId } = await open(name);
			if (of?.is !== "image") return knowledge.media(benchmark.manifest.knowledge, media);
			const image = byId.get(of.task)?.images.find(({ id }) => id === of.image);
			return image && fileInside(benchmark.dir, image.file);
		},
		async close(): Promise<void> {
			closing.abort();
			opened.clear();
			await checking;
		},
	};
}

function taskNamed(byId: ReadonlyMap<string, Task>, id: string): Task {
	const task = byId.get(id);
	if (task) return task;
	throw usageError("unknown-task", `the benchmark holds no task "${clip(id, 80)}"`, "It may have been taken out.");
}

/** The files that its pages are made of. */
const filesOf = (dir: string, build: string): string[] => [
	...["benchmark.json", "tasks.jsonl", "reviews/queue.json", "reviews/reviews.jsonl"].map((name) => join(dir, name)),
	join(build, "items.jsonl"),
];

async function openOne(name: string, { workspace }: Bench): Promise<Opened> {
	const benchmark = await openBenchmark(workspace.benchmark(name));
	const behind = await itemsBehind(workspace, benchmark);
	const made = behind.filter(({ checks }) => checks.length > 0);
	const folder = openReviewFolder(benchmark.dir);
	const standing = await reviewStanding(folder, behind);
	const plan = await folder.plan();
	const states = new Map<string, string>();
	if (plan || standing.agreement.reviews > 0) {
		const given = plan && new Set(Object.values(plan.queues).flat());
		const ids = benchmark.tasks.map(({ id }) => id).filter((id) => given?.has(id) ?? true);
		const { perItem, policy } = standing;
		for (const { item, state } of settle(ids, (await folder.reviews()).reviews, { perItem, policy }))
			states.set(item, state);
	}
	const failed = new Map(
		made.map((item) => [item.id, failedBy(item)] as const).filter(([, checks]) => checks.length > 0),
	);
	const said: SaidOfTasks = { review: states, failed };
	return {
		benchmark,
		byId: new Map(benchmark.tasks.map((task) => [task.id, task])),
		items: new Map(made.map((item) => [item.id, item])),
		review:
			states.size === 0
				? null
				: {
						states: Object.entries(standing.states)
							.filter(([, count]) => count > 0)
							.map(([state, count]) => ({ state, count, where: `review:${state}` })),
						// they are written for a card in Markdown
						words: reviewInWords(standing).map((line) => line.replaceAll("`", "")),
					},
		said,
		table: benchmarkTable(benchmark.tasks, said),
	};
}

/** The last word of each check. */
const verdictsOf = ({ checks }: Item) => new Map(checks.map(({ check, verdict }) => [check, verdict]));

const failedBy = (item: Item): string[] =>
	[...verdictsOf(item)].flatMap(([check, verdict]) => (verdict === "fail" ? [check] : []));

function madeOf(items: ReadonlyMap<string, Item>): BenchmarkPage["made"] {
	if (items.size === 0) return null;
	const counts = new Map<string, Record<CheckRecord["verdict"], number>>();
	let trials = 0;
	for (const item of items.values()) {
		trials += item.checks.reduce((sum, check) => sum + (check.trials?.length ?? 0), 0);
		for (const [check, verdict] of verdictsOf(item)) {
			const count = counts.get(check) ?? { pass: 0, fail: 0, skipped: 0, "not-applicable": 0 };
			count[verdict] += 1;
			counts.set(check, count);
		}
	}
	const checks = [...counts].map(([check, { pass, fail, skipped, "not-applicable": notApplicable }]) => ({
		...{ check, skipped, notApplicable },
		...{ passed: pass, failed: fail, where: `failed:${quote(check)}` },
	}));
	return { items: items.size, checks, trials };
}

function aboutOf({ manifest }: Benchmark) {
	const { name, title, description, tasks, licence, sources, recipe, scoring, release, hash, losses = [] } = manifest;
	return {
		...{ name, tasks },
		title: clip(title, 200),
		description: clip(description, 2000),
		licence: clip(licence, 200),
		sources: sources.slice(0, 100).map((source) => ({
			name: clip(source.name, 200),
			version: clip(source.version ?? "", 60),
			licence: clip(source.licence, 200),
			attribution: clip(source.attribution, 600),
			// what is no address of the web is no link
			url: /^https?:\/\//i.test(source.url ?? "") ? clip(source.url ?? "", 600) : "",
		})),
		facts: [
			...(recipe ? [{ name: "Made by", value: `recipe ${recipe.name} ${recipe.version}${seedOf(recipe.seed)}` }] : []),
			{ name: "Scored by", value: scoring ?? "hopscope" },
			...(release ? [{ name: "Release", value: `${release.version}, ${release.date}` }] : []),
			{ name: "Hash of its tasks", value: hash.slice(0, 16) },
		],
		losses: losses.slice(0, 200).map((loss) => clip(loss, 400)),
	};
}

const seedOf = (seed: number | undefined) => (seed === undefined ? "" : `, seed ${seed}`);
