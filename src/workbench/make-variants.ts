import { existsSync } from "node:fs";
import { join } from "node:path";
import { deriveBenchmark } from "#benchmarks";
import { counted, HopscopeError } from "#domain";
import { graphFolder, openGraph } from "#graph";
import { openKnowledge } from "#knowledge";
import {
	type Counterparts,
	rememberingReading,
	type Substitution,
	stillStated,
	substituteEntityNames,
	unanswerableCounterparts,
} from "#recipes";
import { openForRun } from "./open.ts";
import { textReading } from "./text-reading.ts";
import { eachChanged, mustBeFree, searchAll, writeVariantKnowledge } from "./variant-knowledge.ts";
import type { Bench } from "./work.ts";

export interface VariantOptions {
	/** Name of the variant, and of the corpus and knowledge base that go with it. */
	to: string;
	/** The knowledge base of the benchmark's evidence; the one it names where nothing is said. */
	knowledge?: string | undefined;
	/** Another number, another variant. */
	seed?: number | undefined;
	/** Replace what has that name. */
	force?: boolean | undefined;
}

/** A reason, in words, for which tasks have no variant. */
export interface VariantRefusal {
	why: string;
	tasks: number;
	example: string;
}

export interface SubstitutionOptions extends VariantOptions {
	/** Also tasks that ask about others now and whose answer stays, such as a date. */
	sameAnswers?: boolean | undefined;
	/** Say what could be substituted, and write nothing. */
	dryRun?: boolean | undefined;
}

export interface SubstitutedBenchmark {
	/** The new benchmark, and how much evidence its knowledge base holds; neither after a dry run. */
	benchmark?: string;
	passages?: number;
	tasks: number;
	/** Tasks of the benchmark it was made of. */
	of: number;
	seed: number;
	refused: Substitution["refused"];
	exchanges: { from: string; to: string; kind: string }[];
	/** The refusals in words, the commonest first. */
	reasons: VariantRefusal[];
}

/** Exchanges the names of entities all over a benchmark and its corpus, against memorised answers. */
export async function substituteEntities(
	name: string,
	options: SubstitutionOptions,
	bench: Bench,
): Promise<SubstitutedBenchmark> {
	const { workspace } = bench;
	const { to, seed = 1, sameAnswers = false, dryRun = false, force = false } = options;
	const { benchmark, knowledge } = await openForRun(workspace, name, options);
	try {
		if (!dryRun) mustBeFree(workspace, { name: to, from: [benchmark.dir, knowledge.dir], force });
		const graphDir = join(knowledge.dir, graphFolder);
		const graph = existsSync(join(graphDir, "graph.json")) ? await openGraph(graphDir) : undefined;
		const { evidence } = knowledge;
		const variant = await substituteEntityNames(benchmark.tasks, {
			evidence,
			reading: textReading,
			graph,
			seed,
			sameAnswers,
		});
		const { tasks, refused } = variant;
		const reasons = reasonsOf(refused, whyNotSubstituted).sort((a, b) => b.tasks - a.tasks);
		if (tasks.length === 0) throw nothingSubstituted(name, variant, reasons);
		const exchanges = variant.exchanges.map(({ from, to: other, kind }) => ({ from: from.name, to: other.name, kind }));
		const told = { tasks: tasks.length, of: benchmark.tasks.length, seed, refused, exchanges, reasons };
		if (dryRun) return told;
		const change = eachChanged((one) => (one.kind === "passage" ? variant.passage(one) : undefined));
		const passages = await writeVariantKnowledge(knowledge, { name: to, change }, bench);
		const kinds = new Set(exchanges.map(({ kind }) => kind)).size;
		await deriveBenchmark(benchmark, workspace.benchmark(to), {
			name: to,
			tasks,
			force,
			manifest: { knowledge: to },
			how: `${counted(exchanges.length, "entity name")} exchanged within ${counted(kinds, "kind")}, seed ${seed}; ${tasks.length} of ${counted(benchmark.tasks.length, "task")} could be substituted. What it says of the world is not true.`,
		});
		return { benchmark: to, passages, ...told };
	} finally {
		await knowledge.close();
	}
}

const whyNotSubstituted: Record<Substitution["refused"][number]["why"], string> = {
	"no-chain": "no chain of hops is known",
	images: "the question shows an image",
	"not-text": "a hop rests on what is not text",
	"no-exchange": "no entity whose kind is known has another of it",
	"computed-from-names": "a value is computed from a name, and how is not stated",
	"same-answer": "the old answer would still be right",
	"not-stated": "a hop's answer does not stand in its evidence",
	"name-left": "an old name or part of one is left",
	"within-name": "a name is part of another thing's name",
	"kind-unsure": "whether a person is a woman or a man is not known",
	"subject-lost": "a hop's evidence no longer names what the hop asks about",
	"answer-shown": "the question would name the answer",
	"link-lost": "a hop does not name what it needs",
	"broken-chain": "the chain breaks",
};

function nothingSubstituted(name: string, { refused }: Substitution, reasons: VariantRefusal[]): HopscopeError {
	const commonest = reasons.slice(0, 3).map(({ why, tasks }) => `${why} (${tasks})`);
	return new HopscopeError(
		"nothing-swapped",
		`no task of ${name} can be substituted: ${commonest.join("; ")}`,
		refused.some(({ why }) => why === "same-answer")
			? "--same-answers takes tasks whose question changes and whose answer stays."
			: "Substitution needs chains over passages of text.",
		{ facts: { refused: refused.slice(0, 100) } },
	);
}

export interface CounterpartOptions extends VariantOptions {
	/** Results of each search that are looked at; 50 where nothing is said. */
	depth?: number | undefined;
}

export interface CounterpartBenchmark {
	benchmark: string;
	tasks: number;
	/** Tasks of the benchmark whose counterparts they are. */
	of: number;
	seed: number;
	/** Evidence that is left in the new corpus, and that was removed from it. */
	evidence: number;
	removed: number;
	/** The hop of each task, by the task's id, whose support is gone, with the evidence that went for it. */
	without: Record<string, { hop: string; evidence: string[] }>;
	refused: Counterparts["refused"];
	/** The refusals in words. */
	reasons: VariantRefusal[];
}

/** Unanswerable counterparts: the same questions over a corpus from which the support of one hop is gone. */
export async function makeCounterparts(
	name: string,
	options: CounterpartOptions,
	bench: Bench,
): Promise<CounterpartBenchmark> {
	const { workspace, signal } = bench;
	const { to, seed = 1, depth = 50, force = false } = options;
	const { benchmark, knowledge } = await openForRun(workspace, name, options);
	try {
		mustBeFree(workspace, { name: to, from: [benchmark.dir, knowledge.dir], force });
		const reading = rememberingReading(textReading);
		const of = benchmark.tasks.length;
		const progress = bench.progress("looking for what states a hop");
		const counterparts = await unanswerableCounterparts(benchmark.tasks, {
			evidence: knowledge.evidence,
			search: searchAll(knowledge),
			reading,
			seed,
			depth,
			onProgress: (done) => {
				signal.throwIfAborted();
				progress.update(done, of);
			},
		});
		progress.end();
		const { refused } = counterparts;
		if (counterparts.tasks.length === 0) throw noCounterparts(name, counterparts);
		const left = await writeVariantKnowledge(
			knowledge,
			{ name: to, change: eachChanged((evidence) => (counterparts.removed.has(evidence.id) ? undefined : evidence)) },
			bench,
		);
		const over = await openKnowledge(workspace.knowledge(to));
		try {
			const stated = await stillStated(counterparts, benchmark.tasks, { search: searchAll(over), reading, depth });
			for (const { task, evidence } of stated)
				refused.push({ task, why: "still-stated", detail: `"${evidence}" says it too` });
		} finally {
			await over.close();
		}
		const without = new Set(refused.map(({ task }) => task));
		const tasks = counterparts.tasks.filter(({ id }) => !without.has(id));
		if (tasks.length === 0) throw noCounterparts(name, counterparts);
		const removed = counterparts.removed.size;
		await deriveBenchmark(benchmark, workspace.benchmark(to), {
			name: to,
			tasks,
			force,
			manifest: { knowledge: to },
			how: `unanswerable counterparts: of each task the support of one hop is removed from the corpus (${counted(removed, "evidence")} in all), seed ${seed}; declining is right.`,
		});
		const order = Object.values(whyNoCounterpart);
		return {
			benchmark: to,
			tasks: tasks.length,
			of,
			seed,
			evidence: left,
			removed,
			without: Object.fromEntries([...counterparts.without].filter(([id]) => !without.has(id))),
			refused,
			reasons: reasonsOf(refused, whyNoCounterpart).sort((a, b) => order.indexOf(a.why) - order.indexOf(b.why)),
		};
	} finally {
		await knowledge.close();
	}
}

const whyNoCounterpart: Record<Counterparts["refused"][number]["why"], string> = {
	unanswerable: "it has no answer as it is",
	"no-chain": "no chain of hops is known",
	"not-text": "a hop rests on an image",
	"no-fact": "no hop states a fact that can be looked for",
	"needed-elsewhere": "what states a hop is needed by another hop or counterpart",
	"still-stated": "the hop is stated elsewhere too",
};

const noCounterparts = (name: string, { refused }: Counterparts) =>
	new HopscopeError(
		"no-twins",
		`no task of ${name} has an unanswerable counterpart: ${whyNoCounterpart[refused[0]?.why ?? "no-chain"]}`,
		"Counterparts need chains whose hops state facts in text.",
		{ facts: { refused: refused.slice(0, 100) } },
	);

/** Why tasks have no variant, each reason with its first task as an example, in the order in which they arose. */
function reasonsOf<Why extends string>(
	refused: readonly { task: string; why: Why; detail: string }[],
	words: Readonly<Record<Why, string>>,
): VariantRefusal[] {
	const reasons = new Map<Why, VariantRefusal>();
	for (const { task, why, detail } of refused) {
		const reason = reasons.get(why) ?? { why: words[why], tasks: 0, example: `${task}: ${detail}` };
		reason.tasks += 1;
		reasons.set(why, reason);
	}
	return [...reasons.values()];
}
