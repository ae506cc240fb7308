import type { TextReading } from "#benchmarks";
import { type Chain, type Evidence, type Hop, retrievalHops, type Task } from "#domain";
import { mentionsAny } from "#scoring";
import { seeded } from "../seeded.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import { saysAnswer, textOf } from "./states-hop.ts";

type CounterpartRefusal = "no-chain" | "not-text" | "no-fact" | "needed-elsewhere" | "still-stated" | "unanswerable";

/** Tasks that look answerable and are not: one hop of each is stated nowhere any more. */
export interface Counterparts {
	tasks: Task[];
	/** Evidence that is not in the counterparts' corpus. */
	removed: Set<string>;
	/** The hop of each task, by the task's id, whose support is gone, with the evidence that went for it. */
	without: Map<string, { hop: string; evidence: string[] }>;
	refused: { task: string; why: CounterpartRefusal; detail: string }[];
}

interface CounterpartOptions {
	evidence(id: string): Promise<Evidence | undefined>;
	/** The best of the corpus for a text, of every kind that there is. */
	search(text: string, options: { k: number }): Promise<Evidence[]>;
	reading: TextReading;
	seed: number;
	/** Results of each search that are looked at. */
	depth?: number;
	onProgress?: (done: number) => void;
}

const declining = "unanswerable";

/**
 * For each task a counterpart that cannot be answered over a corpus from which everything found that states one hop is gone, and
 * everything that says the last answer of what the question begins with. All other hops keep their evidence, whatever is
 * removed for other tasks: which hop goes is drawn, and another one tried where it must stay.
 */
export async function unanswerableCounterparts(
	tasks: readonly Task[],
	options: CounterpartOptions,
): Promise<Counterparts> {
	const counterparts: Counterparts = { tasks: [], removed: new Set(), without: new Map(), refused: [] };
	const kept = new Set<string>();
	let done = 0;
	for (const task of tasks) {
		const refuse = (why: CounterpartRefusal, detail: string) =>
			counterparts.refused.push({ task: task.id, why, detail });
		done += 1;
		options.onProgress?.(done);
		const { chain } = task;
		if (task.answer.type === "none") refuse("unanswerable", "it has no answer as it is");
		else if (!chain) refuse("no-chain", "it has no chain");
		else {
			const tried = await tryHops(task, chain, { counterparts, kept, options });
			if ("why" in tried) refuse(tried.why, tried.detail);
			else accept(task, chain, tried, { counterparts, kept });
		}
	}
	return counterparts;
}

interface Removal {
	hop: Hop;
	evidence: string[];
}

interface State {
	counterparts: Counterparts;
	/** Evidence that counterparts accepted before rest on. */
	kept: Set<string>;
}

async function tryHops(
	task: Task,
	chain: Chain,
	{ counterparts, kept, options }: State & { options: CounterpartOptions },
): Promise<Removal | { why: CounterpartRefusal; detail: string }> {
	let problem: { why: CounterpartRefusal; detail: string } = {
		why: "no-fact",
		detail: "no hop states a fact that can be looked for",
	};
	for (const hop of seeded("twins", options.seed, task.id).shuffle(retrievalHops(chain))) {
		const gold = await Promise.all(hop.evidence.map((id) => options.evidence(id)));
		if (gold.some((one) => one?.kind === "image")) {
			problem = { why: "not-text", detail: `hop "${hop.id}" rests on an image` };
			continue;
		}
		// yes, no, and what nobody says cannot be looked for
		if (hop.answer.type === "boolean") continue;
		const evidence = await stating(task, chain, { hop, options });
		const others = retrievalHops(chain).filter((other) => other !== hop);
		const gone = new Set([...counterparts.removed, ...evidence]);
		const needed = evidence.find((id) => kept.has(id));
		const bare = others.find((other) => other.evidence.every((id) => gone.has(id)));
		if (needed === undefined && !bare) return { hop, evidence };
		problem = {
			why: "needed-elsewhere",
			detail: bare ? `hop "${bare.id}" would lose its evidence too` : `"${needed}" is needed by another twin`,
		};
	}
	return problem;
}

/** Ids of all that states the hop, its gold evidence first, and of what says the last answer outright. */
async function stating(
	task: Task,
	chain: Chain,
	{ hop, options }: { hop: Hop; options: CounterpartOptions },
): Promise<string[]> {
	const { search, reading, depth = 50 } = options;
	const { language } = task.tags;
	const starts = chain.hops.filter(({ needs }) => needs.length === 0).flatMap((start) => start.evidence);
	const titles = async (ids: readonly string[]) =>
		(await heldEvidence(options, ids)).map(({ title }) => title.replace(/\s*\([^()]*\)$/u, ""));
	const needed = hop.needs.flatMap(({ hop: id }) => chain.hops.find((one) => one.id === id)?.answer.accepted ?? []);
	const about = async (names: readonly string[], question: string) => {
		const said = names.filter((name) => mentionsAny([name], [question]));
		return said.length > 0 ? said : [...names];
	};
	const facts = [
		{
			query: hop.question,
			answer: hop.answer,
			names: await about([...needed, ...(await titles(hop.evidence))], hop.question),
		},
		{ query: task.question, answer: task.answer, names: await about(await titles(starts), task.question) },
	];
	const found = new Set(hop.evidence);
	for (const { query, answer, names } of facts) {
		const queries = [query, `${query} ${answer.value}`, ...names.slice(0, 3).map((name) => `${name} ${answer.value}`)];
		for (const results of await Promise.all(queries.map((text) => search(text, { k: depth }))))
			for (const one of results)
				if (mentionsAny(names, [textOf(one)]) && saysAnswer(textOf(one), answer, { reading, language }))
					found.add(one.id);
	}
	return [...found];
}

function accept(task: Task, chain: Chain, { hop, evidence }: Removal, { counterparts, kept }: State): void {
	for (const id of evidence) counterparts.removed.add(id);
	const left = retrievalHops(chain)
		.filter((other) => other !== hop)
		.flatMap((other) => other.evidence.filter((id) => !counterparts.removed.has(id)));
	for (const id of left) kept.add(id);
	counterparts.without.set(task.id, { hop: hop.id, evidence });
	const { chain: _chain, native: _native, context, supporting: _supporting, ...rest } = task;
	const answer = { type: "none" as const, value: declining, accepted: [declining] };
	counterparts.tasks.push({
		...rest,
		answer,
		...(context ? { context: context.filter((id) => !counterparts.removed.has(id)) } : {}),
		...(left.length > 0 ? { supporting: [...new Set(left)] } : {}),
		cluster: task.cluster ?? task.id,
		tags: { ...task.tags, twin: "unanswerable", without: hop.id, answerable: task.answer.type },
	});
}

/** Counterparts whose hop is still said in the new corpus, found by searching it: these are to be left out. */
export async function stillStated(
	counterparts: Pick<Counterparts, "tasks" | "without">,
	tasks: readonly Task[],
	options: Pick<CounterpartOptions, "search" | "reading" | "depth">,
): Promise<{ task: string; evidence: string }[]> {
	const originals = new Map(tasks.map((task) => [task.id, task]));
	const found: { task: string; evidence: string }[] = [];
	for (const { id } of counterparts.tasks) {
		const original = originals.get(id);
		const hop = original?.chain?.hops.find((one) => one.id === counterparts.without.get(id)?.hop);
		if (!original || !hop) continue;
		const { language } = original.tags;
		const needed = hop.needs.flatMap(
			({ hop: need }) => original.chain?.hops.find((one) => one.id === need)?.answer.accepted ?? [],
		);
		const results = await options.search(`${hop.question} ${hop.answer.value}`, { k: options.depth ?? 50 });
		const says = results.find((one) => {
			const text = textOf(one);
			const isAbout = needed.length > 0 ? mentionsAny(needed, [text]) : mentionsAny([one.title], [hop.question]);
			return isAbout && saysAnswer(text, hop.answer, { reading: options.reading, language });
		});
		if (says) found.push({ task: id, evidence: says.id });
	}
	return found;
}
