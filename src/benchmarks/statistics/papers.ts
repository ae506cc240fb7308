import { grouped, type Topology } from "#domain";
import type { TaskFacts } from "./facts.ts";
import { entitiesOf } from "./overview.ts";
import { type ListRow, listTable, meanOf, outOf, type StatisticsCell, type StatisticsTable, shareOf } from "./table.ts";

/** How many records of each kind a knowledge base holds. */
export type KnowledgeCounts = Readonly<Record<"passage" | "page" | "image", number>>;

/** A paper's own table of its benchmark, filled with another's numbers: the same rows, so that the two can be compared. */
export interface PaperTable {
	/** What a person types. */
	paper: string;
	of(facts: readonly TaskFacts[], counts?: KnowledgeCounts): StatisticsTable;
}

/** The paper's table from its rows. */
function paperTable(
	about: Record<"name" | "title" | "describe" | "source", string>,
	rowsOf: (facts: readonly TaskFacts[], counts?: KnowledgeCounts) => ListRow[],
): PaperTable {
	return { paper: about.name, of: (facts, counts) => listTable(about, rowsOf(facts, counts)) };
}

const noKnowledge: StatisticsCell = { none: "needs the knowledge base" };

/** Whether a task compares or combines independent hops. */
const compares = ({ task, topology }: TaskFacts) =>
	task.tags.questionType?.toLowerCase().includes("comparison") ??
	(topology === "text-fork" || topology === "image-text-fork" || topology === "multi-image-fork");

const imagesIn = (facts: readonly TaskFacts[]) =>
	new Set(facts.flatMap(({ task }) => task.images.map(({ sha256 }) => sha256))).size;
/** The numbers of hops or steps that there are, from the fewest. */
const numbersOf = (facts: readonly TaskFacts[], of: "hops" | "steps") =>
	[...new Set(facts.flatMap((fact) => fact[of] ?? []))].sort((a, b) => a - b);
const questionLength = (facts: readonly TaskFacts[]) => meanOf(facts, ({ questionWords }) => questionWords, "task");
const answerLength = (facts: readonly TaskFacts[]) => meanOf(facts, ({ answerWords }) => answerWords, "task");

/** Table 2 of MMhops-R1. */
const mmhops = paperTable(
	{
		name: "mmhops",
		title: "Statistics as of MMhops",
		describe:
			"Steps are all hops of the chain. Entities are the different names that tasks and hops answer with, a lower bound of those involved.",
		source: "MMhops-R1, Table 2",
	},
	(facts) => {
		const typed = (...types: string[]) => shareOf(facts, ({ task }) => types.includes(task.answer.type));
		return [
			["total samples", outOf(facts.length, facts.length)],
			["bridging samples", shareOf(facts, (fact) => !compares(fact))],
			["comparison samples", shareOf(facts, compares)],
			["questions involved", new Set(facts.map(({ task }) => task.question)).size],
			["entities involved", entitiesOf(facts).size],
			["images involved", imagesIn(facts)],
			["requiring external knowledge", shareOf(facts, ({ hops }) => (hops ?? 0) > 0)],
			...numbersOf(facts, "steps").map(
				(step): ListRow => [`${step} steps`, shareOf(facts, (fact) => fact.steps === step)],
			),
			["average question length (words)", questionLength(facts)],
			["average answer length (words)", answerLength(facts)],
			["entity-type answers", typed("string", "list", "text")],
			["temporal answers", typed("time")],
			["numerical answers", typed("number")],
			["other answers (yes or no, none)", typed("boolean", "none")],
		];
	},
);

type AnswerKind = "entity or name" | "date or year" | "count or numeric" | "comparative or selection";

/** By the recipe's own tag, else by the type of the answer and by what computes it. */
function answerKind({ task: { tags, answer }, sink }: TaskFacts): AnswerKind {
	const tagged: Record<string, AnswerKind> = {
		"entity-name": "entity or name",
		"date-year": "date or year",
		"count-value": "count or numeric",
		"comparative-selection": "comparative or selection",
	};
	const known = tags.answer === undefined ? undefined : tagged[tags.answer];
	if (known) return known;
	if (sink?.op?.startsWith("arg") || answer.type === "boolean") return "comparative or selection";
	if (answer.type === "number") return "count or numeric";
	return answer.type === "time" ? "date or year" : "entity or name";
}

/** By the recipe's own tag, else by how the last hop computes; a fused question of another source may be of no form. */
function formOf({ task: { tags }, sink, steps }: TaskFacts): string | undefined {
	if (tags.reasoning !== undefined) return tags.reasoning;
	if (steps === undefined) return undefined;
	if (sink?.modality !== "compute") return "single-chain";
	if (/conditional/i.test(tags.fusion ?? "")) return "conditional";
	const arithmetic = ["add", "subtract", "multiply", "divide", "mean", "difference", "max", "min", "count"];
	return sink.op !== undefined && arithmetic.includes(sink.op) ? "arithmetic" : undefined;
}

/** Table 8 of VistaHop. */
function compositionOf(facts: readonly TaskFacts[]): ListRow[] {
	const tagged = facts.flatMap(({ task }) => task.tags.anchor ?? []);
	const answered = (kind: AnswerKind) => shareOf(facts, (fact) => answerKind(fact) === kind);
	const formed = (form: string) => shareOf(facts, (fact) => formOf(fact) === form);
	const anchored = (anchor: string): StatisticsCell =>
		tagged.length > 0
			? outOf(tagged.filter((anchors) => anchors.split(", ").includes(anchor)).length, facts.length)
			: { none: "no task is tagged with its anchor" };
	return [
		["entity or name answers", answered("entity or name")],
		["date or year answers", answered("date or year")],
		["count or numeric answers", answered("count or numeric")],
		["location answers", { none: "a place counts as an entity" }],
		["comparative or selection answers", answered("comparative or selection")],
		["organization or logo anchors", anchored("organization-logo")],
		["text or signage anchors", anchored("text-signage")],
		["product or object anchors", anchored("product-object")],
		["landmark or place anchors", anchored("landmark-place")],
		["person, event or symbol anchors", anchored("person-event-symbol")],
		["single evidence chain", formed("single-chain")],
		["arithmetic fusion", formed("arithmetic")],
		["temporal comparison", formed("temporal")],
		["conditional selection", formed("conditional")],
		["cross-anchor entity fusion", formed("cross-anchor")],
	];
}

/** Levels of VistaHop's section 3.2: L1 [1, 5), L2 [5, 10), L3 [10, ∞) hops. */
const vistahop = paperTable(
	{
		name: "vistahop",
		title: "Statistics as of VistaHop",
		describe:
			"Hops are reasoning hops: neither computing nor recognising what the question's image shows is one. A chain that computes counts as fused.",
		source: "VistaHop, section 3.3, levels of section 3.2, Table 8",
	},
	(facts) => {
		const hops = (fact: TaskFacts) => fact.reasoning;
		const long = (low: number, high: number) => shareOf(facts, (fact) => hops(fact) >= low && hops(fact) < high);
		const chained = facts.filter(({ steps }) => steps !== undefined);
		const fused = chained.filter(({ computes }) => computes);
		return [
			["images", imagesIn(facts)],
			["scenarios", new Set(facts.flatMap(({ task }) => task.tags.scenario ?? [])).size],
			["average chain length", meanOf(chained, hops, "chain")],
			["tasks", facts.length],
			["single-chain tasks", outOf(chained.length - fused.length, facts.length)],
			["fused tasks", outOf(fused.length, facts.length)],
			["L1: 1 to 4 hops", long(1, 5)],
			["L2: 5 to 9 hops", long(5, 10)],
			["L3: 10 hops and more", long(10, Number.POSITIVE_INFINITY)],
			...compositionOf(facts),
		];
	},
);

/** The five structures of MC-Search by their names there; forks of text alone count as text chains. */
const structures: [string, Topology[]][] = [
	["visual-textual fork", ["image-text-fork"]],
	["image-initiated chain", ["image-initiated-chain"]],
	["text chain", ["text-only-chain", "text-fork"]],
	["text-initiated chain", ["text-initiated-chain"]],
	["multi-images fork", ["multi-image-fork"]],
];

/** Table 7 of MC-Search. */
const mcSearch = paperTable(
	{
		name: "mc-search",
		title: "Statistics as of MC-Search",
		describe:
			"Structures are derived from the graph; one hop, and no chain, are others. Hops are those that retrieve; text takes in tables and pages. Lengths are words, the paper's are tokens.",
		source: "MC-Search, Table 7",
	},
	(facts, counts) => {
		const inside = structures.map(([name, shapes]) => ({
			name,
			members: facts.filter(({ topology }) => topology && shapes.includes(topology)),
		}));
		const other = facts.length - inside.reduce((sum, { members }) => sum + members.length, 0);
		const modalities = facts.flatMap((fact) => fact.modalities);
		return [
			...inside.map(({ name, members }): ListRow => [`${name} samples`, outOf(members.length, facts.length)]),
			["samples of other structures", outOf(other, facts.length)],
			["total samples", facts.length],
			["images in the knowledge base", counts ? counts.image : noKnowledge],
			["documents in the knowledge base", counts ? counts.passage + counts.page : noKnowledge],
			["avg. question length", questionLength(facts)],
			["avg. answer length", answerLength(facts)],
			["avg. answer entities", meanOf(facts, ({ task }) => task.answer.keyEntities, "task states key entities")],
			["avg. hops", meanOf(facts, ({ hops }) => hops, "chain")],
			...inside.map(
				({ name, members }): ListRow => [`avg. hops in ${name}`, meanOf(members, ({ hops }) => hops, "such chain")],
			),
			["hops with text retrieval", shareOf(modalities, (modality) => modality !== "image")],
			["hops with image retrieval", shareOf(modalities, (modality) => modality === "image")],
		];
	},
);

/** What Figure 2 of AgenticRAGTracer draws: hops by type, and domains. */
const tracer = paperTable(
	{
		name: "tracer",
		title: "Statistics as of AgenticRAGTracer",
		describe: "Comparison: tagged so, or a fork where no type is tagged; everything else is inference.",
		source: "AgenticRAGTracer, Figure 2",
	},
	(facts) => {
		const cell = (hop: number, type: boolean) => shareOf(facts, (fact) => fact.hops === hop && compares(fact) === type);
		const domains = grouped(
			facts.flatMap(({ task }) => task.tags.domain ?? []),
			(domain) => domain,
		);
		const byCount = [...domains].sort(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1));
		return [
			...numbersOf(facts, "hops").flatMap((hop): ListRow[] => [
				[`${hop}-hop inference`, cell(hop, false)],
				[`${hop}-hop comparison`, cell(hop, true)],
			]),
			...byCount.map(([domain, { length }]): ListRow => [`domain ${domain}`, outOf(length, facts.length)]),
		];
	},
);

const wholeDocuments: StatisticsCell = { none: "of whole documents, of which tasks say nothing" };

/** Tables 2 and 8 of Double-Bench, as far as a benchmark and its gold evidence tell. */
const doubleBench = paperTable(
	{
		name: "double-bench",
		title: "Statistics as of Double-Bench",
		describe: "Documents are those of gold evidence; pages are evidence of its own kind.",
		source: "Double-Bench, Tables 2 and 8",
	},
	(facts) => {
		const known = facts.every(({ pages }) => pages !== undefined);
		const single = facts.filter(({ hops }) => hops === 1);
		const multi = facts.filter(({ hops = 0 }) => hops > 1);
		const kinds = (modality: string) =>
			facts.filter((fact) => (fact.modalities as string[]).includes(modality) || fact.task.tags.modality === modality)
				.length;
		const documents = new Set(facts.flatMap((fact) => [...(fact.documents ?? [])])).size;
		const pages = meanOf(single, (fact) => fact.pages?.length || undefined, "single-hop task with pages");
		return [
			["gold documents", known ? documents : noKnowledge],
			["languages", new Set(facts.map(({ task }) => task.tags.language)).size],
			["avg. pages per doc", wholeDocuments],
			["avg. words per page", wholeDocuments],
			["avg. tables per page", wholeDocuments],
			["avg. figures per page", wholeDocuments],
			["document types", new Set(facts.flatMap(({ task }) => task.tags.documentType ?? [])).size],
			["total questions", facts.length],
			["single-hop questions", outOf(single.length, facts.length)],
			["avg. evidence pages, single-hop", known ? pages : noKnowledge],
			["multi-hop questions", outOf(multi.length, facts.length)],
			...numbersOf(multi, "hops").map(
				(hop): ListRow => [`${hop}-hop questions`, shareOf(facts, ({ hops }) => hops === hop)],
			),
			["avg. hops, multi-hop", meanOf(multi, ({ hops }) => hops, "multi-hop task")],
			["text modality", outOf(kinds("text"), facts.length)],
			["table modality", outOf(kinds("table"), facts.length)],
			["figure modality", outOf(kinds("image") + kinds("figure"), facts.length)],
		];
	},
);

export const paperTables: readonly PaperTable[] = [mmhops, vistahop, mcSearch, tracer, doubleBench];
