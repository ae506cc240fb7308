import type { Task } from "#domain";
import { sha256 } from "#store";
import { chainKey } from "../final-gate/unique-chains.ts";
import { seeded } from "../seeded.ts";
import { createBalance } from "./balance.ts";
import { chainCandidate, forkCandidate, type Request } from "./candidate.ts";
import { type Draft, drafted } from "./draft.ts";
import { leavesOf } from "./expression.ts";
import { isShort, says } from "./giveaway.ts";
import type { Depiction, GraphEntity, Language, Operation, TypedGraph } from "./graph.ts";
import { defaultPlan, type Wanted } from "./plan.ts";
import { movesOf } from "./walk.ts";

/** An image that a question needs: to be made from the stored one. */
export interface QuestionPicture {
	/** Opaque: says nothing of what is shown. */
	id: string;
	depiction: Depiction;
	/** Names that the image stands for. */
	hides: string[];
}

/** A task whose images are still to be made, in the order in which the question counts them. */
export interface ComposedTask {
	task: Task;
	pictures: QuestionPicture[];
}

export interface ComposeOptions {
	/** Every choice follows from it. */
	seed: number;
	/** Begins the ids of the tasks. */
	name?: string;
	/** How many tasks, if the graph yields them. */
	tasks?: number;
	/** How many chains to ask at 2, 3 and 4 hops, three of the tasks each; 66 of 480 where nothing is said. */
	ladders?: number | undefined;
	/** Share of tasks in Spanish. */
	spanish?: number;
	plan?: Wanted[];
	/** Whether no evidence may state two hops of a chain: reading one place would spare a retrieval. */
	apart?: boolean;
	/** False for a stored image that another entity's resembles too closely to identify anything. */
	mayStart?: (depiction: Depiction, entity: GraphEntity) => boolean;
	/** Where the tasks come from and under which terms, as it goes into each task. */
	source?: string;
	rights?: string;
	/** Told at the end: the places that nothing in the graph could fill, one for each task that is missing. */
	onMissing?: (places: Wanted[]) => void;
}

const forkOperations: Operation[] = [
	"argmax",
	"argmin",
	"greater",
	"earlier",
	"equal",
	"add",
	"difference",
	"mean",
	"divide",
];
const calculations: ReadonlySet<Operation> = new Set(["add", "difference", "mean", "divide"]);
const seriesTops = [
	"image-initiated-chain",
	"text-only-chain",
	"image-initiated-chain",
	"text-initiated-chain",
] as const;
const endings = ["entity", "number", "time", "string", "entity", "boolean"] as const;
/** Candidates drawn for one place before it is given up, and candidates compared before the best is taken. */
const tries = 540;
const compared = 12;

/** Tasks that stand or fall together: one, or a nested question series from the shortest: each level extends the one before it by a hop. */
type Group = Draft[];

/**
 * Composes multi-hop questions with their gold chains out of a typed graph, without a language model. Each hop follows
 * a fact that its known end determines; noun phrases nest into one question; images stand in for names. Of the
 * candidates that pass the checks (`drafted`), the one that uses least of what was used before is taken, so that no
 * relation, entity, answer or pattern takes over. The same graph and options give the same tasks.
 */
export function composeTasks(graph: TypedGraph, options: ComposeOptions): ComposedTask[] {
	const { seed, tasks: target = 480, spanish = 0.25, plan = defaultPlan, apart = false } = options;
	const ladders = Math.min(options.ladders ?? Math.floor((target * 66) / 480), Math.floor(target / 3));
	// each place draws on its own, so that what one place cannot have changes little elsewhere
	let random = seeded(seed, "compose");
	const balance = createBalance();
	const moves = { en: movesOf(graph, "en"), es: movesOf(graph, "es") };
	const allowed = allowedDepictions(graph, options.mayStart);
	const groups: Group[] = [];
	const questions = new Set<string>();
	const chains = new Set<string>();

	const languages = { series: alternate(spanish), single: alternate(spanish) };
	const asking = (wanted: Pick<Wanted, "topology" | "hops">, language: Language, attempt: number): Request => ({
		topology: wanted.topology,
		hops: wanted.hops,
		language,
		yes: balance.wantsYes(language),
		ending: endings[attempt % endings.length] ?? "entity",
		moves: moves[language],
		steering: { random, weight: balance.weight, mayStart: (depiction) => allowed.has(depiction) },
	});

	/** The least repetitive of the first candidates that pass; undefined when none does. */
	function search(make: (attempt: number) => Group | undefined): Group | undefined {
		let best: { group: Group; cost: number } | undefined;
		for (let attempt = 0, found = 0; attempt < tries && found < compared; attempt += 1) {
			const group = make(attempt);
			const last = group?.at(-1);
			if (!group || !last || group.some((draft) => questions.has(draft.question))) continue;
			if (apart && sharesEvidence(last.chain)) continue;
			found += 1;
			const cost = balance.cost(last.expression, last.language) + random.next();
			if (group.some((draft) => chains.has(askedBy(draft)))) continue;
			if (!best || cost < best.cost) best = { group, cost };
		}
		return best?.group;
	}

	function single(wanted: Wanted, language: Language): Group | undefined {
		const operations = balance.leastUsed(forkOperations, random);
		const turn = Math.ceil(compared / 2);
		return search((attempt) => {
			const request = asking(wanted, language, attempt);
			const op = operations[Math.floor(attempt / turn) % operations.length] ?? "equal";
			const isFork = wanted.topology.endsWith("fork");
			const expression = isFork ? forkCandidate(request, op) : chainCandidate(request);
			const draft = expression && drafted(expression, language, graph);
			return draft?.topology === wanted.topology && draft.chain.hops.length === wanted.hops ? [draft] : undefined;
		});
	}

	function series(topology: Wanted["topology"], language: Language): Group | undefined {
		return search((attempt) => {
			const top = chainCandidate(asking({ topology, hops: 4 }, language, attempt));
			if (top?.kind !== "step" || top.of.kind !== "step" || top.of.of.kind !== "step") return undefined;
			const levels = [top.of.of, top.of, top].map((expression) => drafted(expression, language, graph));
			const whole = levels.filter((level) => level !== undefined);
			return whole.length === 3 && whole[2]?.topology === topology ? whole : undefined;
		});
	}

	function keep(group: Group | undefined): boolean {
		for (const draft of group ?? []) {
			questions.add(draft.question);
			chains.add(askedBy(draft));
			balance.count(draft.expression, draft.language);
		}
		if (group) groups.push(group);
		return group !== undefined;
	}

	for (let index = 0; index < ladders; index += 1) {
		random = seeded(seed, "ladder", index);
		const language = languages.series();
		// shifted by one each round, or a language asked every fourth time would always meet the same top
		const turn = (index + Math.floor(index / seriesTops.length)) % seriesTops.length;
		const tops = [...seriesTops.slice(turn), ...seriesTops.slice(0, turn)];
		tops.some((topology) => keep(series(topology, language)));
	}
	const places = seeded(seed, "places").shuffle(
		plan.flatMap((wanted) => Array.from({ length: wanted.count }, () => wanted)),
	);
	// what one shape cannot yield, the others make up for
	let unfilled: Wanted[] = [];
	for (let missing = target - questions.size, before = -1; missing > 0 && missing !== before; ) {
		before = missing;
		unfilled = [];
		for (const [index, wanted] of places.entries()) {
			if (questions.size >= target) break;
			random = seeded(seed, "place", index, missing);
			if (!keep(single(wanted, languages.single()))) unfilled.push(wanted);
		}
		missing = target - questions.size;
	}
	const missing = Array.from(
		{ length: Math.max(0, target - questions.size) },
		(_, at) => unfilled[at % unfilled.length],
	);
	options.onMissing?.(missing.filter((place) => place !== undefined));
	const finish = (draft: Draft, group: Group) =>
		finished(draft, group, { ...options, cluster: `c-${sha256(balance.groupOf(draft.expression)).slice(0, 10)}` });
	return groups.flatMap((group) => group.map((draft) => finish(draft, group)));
}

/** What a draft asks, whatever its words: "A or B?" asks no more than "B or A?". */
function askedBy({ chain, language }: Draft): string {
	const answer = chain.hops.find(({ id }) => id === chain.sink)?.answer ?? chain.hops[0]?.answer;
	return answer ? chainKey({ chain, answer, images: [], tags: { language } }) : "";
}

/** Whether two hops rest on one evidence. */
function sharesEvidence({ hops }: Draft["chain"]): boolean {
	const all = hops.flatMap(({ evidence }) => evidence);
	return new Set(all).size < all.length;
}

function finished(draft: Draft, group: Group, options: ComposeOptions & { cluster: string }): ComposedTask {
	const { seed, name = "task", source = "", rights = "", cluster } = options;
	const { question, chain, expression, language } = draft;
	const first = group[0]?.question ?? question;
	const pictures = leavesOf(expression).flatMap((leaf): QuestionPicture[] => {
		if (leaf.kind !== "pictured") return [];
		const { names, aliases } = leaf.entity;
		const hides = [...new Set([...Object.values(names), ...Object.values(aliases).flat()])];
		return [
			{
				// the levels of a series show the same image
				id: `q-${sha256([seed, first, leaf.depiction.evidence].join("\n")).slice(0, 12)}`,
				depiction: leaf.depiction,
				hides: hides.filter((hidden) => !(isShort(hidden) && says(question, [hidden]))),
			},
		];
	});
	const sink = chain.hops.find((hop) => hop.id === chain.sink) ?? chain.hops[0];
	if (!sink) throw new RangeError("a draft has at least one hop");
	const op = expression.kind === "computation" ? expression.op : undefined;
	const about = pictures.map((picture) => picture.id).join(" ");
	const task: Task = {
		id: `${name}-${sha256(`${question}\n${about}`).slice(0, 10)}`,
		question,
		images: [],
		answer: sink.answer,
		chain,
		tags: {
			language,
			questionType: op === undefined ? "bridge" : calculations.has(op) ? "arithmetic" : "comparison",
			domain: leavesOf(expression)[0]?.entity.type ?? "",
		},
		...(group.length > 1
			? { ladder: { id: `ladder-${sha256(first).slice(0, 10)}`, level: group.indexOf(draft) + 1 } }
			: {}),
		cluster,
		source,
		rights,
	};
	return { task, pictures };
}

function allowedDepictions(graph: TypedGraph, mayStart: ComposeOptions["mayStart"]): Set<Depiction> {
	const allowed = new Set<Depiction>();
	for (const entity of graph.entities.values())
		for (const depiction of entity.depictions)
			if (depiction.what.en in graph.pictures && (mayStart?.(depiction, entity) ?? true)) allowed.add(depiction);
	return allowed;
}

/** Says "es" for the given share of the calls, evenly spread. */
function alternate(spanish: number): () => Language {
	let asked = 0;
	return () => {
		asked += 1;
		return Math.floor(asked * spanish) > Math.floor((asked - 1) * spanish) ? "es" : "en";
	};
}
