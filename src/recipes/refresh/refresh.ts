import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Benchmark, type BenchmarkDiff, diffBenchmarks, keepReviews, writeBenchmark } from "#benchmarks";
import { wordsOf } from "#corpus";
import {
	type BenchmarkManifest,
	exitCodes,
	HopscopeError,
	type Item,
	itemOf,
	questionOf,
	type Task,
	taskOf,
} from "#domain";
import { fileInside, replaceFolder, writeJson, writeJsonl } from "#store";
import { buildDrops, buildFaults, funnelFile, itemsFile, writeBuildManifest } from "../engine/build-folder.ts";
import type { FunnelRow } from "../engine/funnel.ts";
import type { Recipe, RecipeInputs } from "../engine/recipe.ts";
import { type Build, type BuildOptions, runRecipe } from "../engine/run-recipe.ts";
import {
	type EvidenceState,
	evidenceStates,
	goldOf,
	type Stamps,
	stampBenchmark,
	stampCorpus,
} from "./evidence-stamps.ts";
import { type Earlier, recheckRecipe, validChecks } from "./recheck.ts";

interface RefreshInput<Params> {
	benchmark: Benchmark;
	/** Contents of its gold evidence when it was made. */
	stamps: Stamps;
	/** Contents of the whole corpus then; without it, everything outside the gold evidence counts as new. */
	corpusStamps?: Stamps | undefined;
	/** Its items with the checks that they went through, where the build is still there. */
	items?: readonly Item[];
	recipe: Recipe<Params>;
	/** Over the changed knowledge base. */
	inputs: RecipeInputs;
}

interface RefreshOptions extends BuildOptions {
	/** Where the new build works: another folder than the earlier one, since what was found out there may no longer hold. */
	build: string;
	/** The folder of the new version, and its name. */
	dir: string;
	name: string;
	/** Day of the release, `YYYY-MM-DD`. */
	date: string;
}

/**
 * Brings a benchmark up to date with a changed knowledge base: what rests on unchanged evidence stays under its id, what
 * rests on changed or vanished evidence is looked at again and mended or dropped, and items that rest on new or changed
 * documents come from a new build. Writes a dated version with `changes.json`.
 */
export async function refreshBenchmark<Params>(
	{ benchmark, stamps, corpusStamps, items = [], recipe, inputs }: RefreshInput<Params>,
	options: RefreshOptions,
): Promise<Refreshed> {
	const { build: place, dir, name, date, ...building } = options;
	const states = await evidenceStates(goldOf(benchmark.tasks), stamps, inputs.knowledge);
	const fresh = await runRecipe(recipe, inputs, join(place, "new"), building);
	const byQuestion = new Map(fresh.items.map((item) => [sameQuestion(taskOf(item)), item]));
	const earlier: Earlier[] = [];
	const removed: Refreshed["removed"] = [];
	const known = new Map(items.map((item) => [item.id, item]));
	for (const task of benchmark.tasks) {
		const gold = [...goldOf([task])];
		const affected = gold.some((id) => states.get(id) !== "same");
		const asked = affected ? byQuestion.get(sameQuestion(task)) : undefined;
		const before = withRecords(task, known.get(task.id), recipe);
		// what the new build asks in the same words has today's answer; its id and place stay
		const now = asked ? reAnswered(task, asked) : withoutGone(before, states);
		if (now) earlier.push({ item: now, affected, checks: validChecks(asked ?? before) });
		else {
			const gone = gold.filter((id) => states.get(id) === "gone");
			removed.push({ task: task.id, reason: "lacking_evidence", detail: `gone: ${gone.join(", ")}` });
		}
	}
	const held = await runRecipe(recheckRecipe(recipe, earlier), inputs, join(place, "again"), {
		...building,
		items: undefined,
	});
	const waiting = await unsettled(held, earlier, removed);
	const stayed = held.items.map(taskOf);
	const then = await evidenceStates(goldOf(fresh.items), corpusStamps ?? stamps, inputs.knowledge);
	const added = newItems(fresh.items, { stayed, earlier: benchmark.tasks, isNew: (id) => then.get(id) !== "same" });
	const tasks = [...stayed.map((task) => withForeign(task, benchmark.tasks)), ...added.map(taskOf)];
	if (tasks.length === 0)
		throw new HopscopeError(
			"nothing-left",
			"no task holds over the changed documents",
			"See again/dropped.jsonl in the build.",
			{
				exitCode: exitCodes.failed,
				facts: { removed: removed.slice(0, 100) },
			},
		);
	const diff = await diffBenchmarks(benchmark.tasks, tasks, { words: wordsOf });
	const changed = new Set(diff.changed.map(({ task }) => task));
	const counts = { same: 0, changed: 0, gone: 0 };
	for (const state of states.values()) counts[state] += 1;
	const told = {
		evidence: counts,
		kept: stayed.map(({ id }) => id).filter((id) => !changed.has(id)),
		changed: [...changed],
		added: added.map(({ id }) => id),
		removed,
		waiting,
		diff,
	};
	const manifest = await replaceFolder(dir, "benchmark.json", async (filling) => {
		await keepReviews(dir, filling);
		await copyImages(filling, tasks, [benchmark.dir, fresh.dir]);
		await writeJson(join(filling, "changes.json"), told);
		await stampBenchmark(filling, tasks, inputs.knowledge);
		const { version: _version, tasks: _tasks, hash: previous, release, ...kept } = benchmark.manifest;
		const next = { version: (release?.version ?? 1) + 1, date, previous };
		return writeBenchmark(filling, {
			manifest: { ...kept, name, release: next },
			tasks,
			card: changesText(
				{ title: kept.title, name, release: next, funnel: fresh.funnel.rows, again: held.funnel.rows },
				told,
			),
		});
	});
	// the next refresh finds here what this one knows
	await writeBuildManifest(place, fresh.manifest);
	await writeJson(funnelFile(place), fresh.funnel);
	await writeJsonl(itemsFile(place), [...held.items, ...added]);
	await stampCorpus(place, inputs.evidence());
	return { manifest, ...told };
}

/** Tasks that were not settled, and what was dropped written among the removed. */
async function unsettled(held: Build, earlier: readonly Earlier[], removed: Refreshed["removed"]): Promise<string[]> {
	for await (const { id, reason, detail } of buildDrops(held.dir)) removed.push({ task: id, reason, detail });
	const faulted = new Set<string>();
	for await (const { input } of buildFaults(held.dir)) faulted.add(input);
	return earlier.map(({ item }) => item.id).filter((id) => faulted.has(id));
}

/** Items of the new build that rest on something new or changed, and ask what nothing else asks. */
function newItems(
	fresh: readonly Item[],
	known: { stayed: readonly Task[]; earlier: readonly Task[]; isNew(evidence: string): boolean },
): Item[] {
	const ids = new Set(known.earlier.map(({ id }) => id));
	const questions = new Set(known.stayed.map(sameQuestion));
	return fresh.filter((item) => {
		if (ids.has(item.id) || questions.has(sameQuestion(taskOf(item)))) return false;
		return [...goldOf([item])].some(known.isNew);
	});
}

const sameQuestion = ({ question, images }: Pick<Task, "question" | "images">) =>
	[question, ...images.map(({ sha256 }) => sha256)].join("\n");

/** The task as an item with the records of its checks, as far as they are about what it is now. */
function withRecords(task: Task, before: Item | undefined, { name, version }: Pick<Recipe, "name" | "version">): Item {
	const item = itemOf(task, { name, version });
	if (!before) return item;
	const same = questionOf(before) === task.question;
	return { ...item, questions: same ? before.questions : item.questions, checks: before.checks, notes: before.notes };
}

const reAnswered = (task: Task, asked: Item): Item => ({
	...asked,
	id: task.id,
	...(task.ladder ? { ladder: task.ladder } : {}),
	...(task.cluster ? { cluster: task.cluster } : {}),
});

/** Fields of a foreign record, which no item carries, stay with their task. */
function withForeign(task: Task, before: readonly Task[]): Task {
	const { native, context } = before.find(({ id }) => id === task.id) ?? {};
	return { ...task, ...(context ? { context } : {}), ...(native ? { native } : {}) };
}

async function copyImages(to: string, tasks: readonly Task[], from: readonly string[]): Promise<void> {
	for (const file of new Set(tasks.flatMap(({ images }) => images.map((image) => image.file)))) {
		const found = from.map((dir) => fileInside(dir, file)).find((place) => place !== undefined);
		if (!found) continue;
		await mkdir(dirname(join(to, file)), { recursive: true });
		await copyFile(found, join(to, file));
	}
}

/**
 * The item without evidence that is gone; undefined where a hop is left without any. Any one evidence suffices for a hop,
 * so that an item survives the loss of one of several.
 */
function withoutGone(item: Item, states: ReadonlyMap<string, EvidenceState>): Item | undefined {
	const hops = item.chain.hops.map((hop) => ({
		...hop,
		evidence: hop.evidence.filter((id) => states.get(id) !== "gone"),
	}));
	const bare = hops.some(({ evidence }, at) => evidence.length === 0 && item.chain.hops[at]?.evidence.length !== 0);
	return bare ? undefined : { ...item, chain: { ...item.chain, hops } };
}

/** What a new version did to the one before, by task id. */
interface Refreshed {
	manifest: BenchmarkManifest;
	evidence: { same: number; changed: number; gone: number };
	kept: string[];
	changed: string[];
	added: string[];
	removed: { task: string; reason: string; detail?: string | undefined }[];
	/** Could not be looked at again for trouble with a model: not in the new version, and not judged. */
	waiting: string[];
	diff: BenchmarkDiff;
}

/** The card of a refreshed benchmark, Markdown: what changed since the version before, and the funnels of both looks. */
function changesText(
	about: {
		title: string;
		name: string;
		release: NonNullable<BenchmarkManifest["release"]>;
		/** Of the new build, and of the second look at the earlier items. */
		funnel: readonly FunnelRow[];
		again: readonly FunnelRow[];
	},
	{ evidence, kept, changed, added, removed, waiting }: Omit<Refreshed, "manifest">,
): string {
	const { title, name, release, funnel, again } = about;
	const reasons = new Map<string, number>();
	for (const { reason } of removed) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
	const why = [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => `${reason} ${count}`);
	return `# ${title}

Version ${release.version} of ${release.date} (${name}), made from the version with hash ${release.previous}.

| tasks | count |
| --- | --- |
| kept as they were | ${kept.length} |
| changed | ${changed.length} |
| added from new or changed documents | ${added.length} |
| removed${why.length > 0 ? ` (${why.join(", ")})` : ""} | ${removed.length} |
| waiting: could not be looked at | ${waiting.length} |

Of the evidence that the earlier tasks rest on, ${evidence.same} is unchanged, ${evidence.changed} changed and ${evidence.gone} gone.
Rules looked at every earlier task; what asks models looked at those whose evidence changed. changes.json names each task.

## Second look at earlier tasks

${rows(again)}

## New build

${rows(funnel)}
`;
}

const rows = (funnel: readonly FunnelRow[]) =>
	[
		"| stage | in | out | dropped | skipped | not applicable | faults |",
		"| --- | --- | --- | --- | --- | --- | --- |",
		...funnel.map(({ stage, in: came, out, dropped, skipped, notApplicable, faults }) => {
			const why = Object.entries(dropped).map(([reason, count]) => `${reason} ${count}`);
			return `| ${stage} | ${came} | ${out} | ${why.join(", ") || 0} | ${skipped} | ${notApplicable} | ${faults} |`;
		}),
	].join("\n");
