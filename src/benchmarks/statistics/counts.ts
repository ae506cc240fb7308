import { groupedByAll, tagValues } from "#domain";
import type { TaskFacts } from "./facts.ts";
import { meanOf, outOf, type StatisticsTable } from "./table.ts";

interface Grouping {
	name: string;
	title: string;
	/** The names of a task's groups; none: `none`. A task may be in several. */
	of(fact: TaskFacts): readonly string[];
}

/** Most groups that a tag is shown by: more are names, not kinds. */
const mostGroups = 60;
const reserved = new Set(["language", "documentType", "questionType", "split", "evidenceModality", "difficulty"]);

const tag = (name: string) => (fact: TaskFacts) => tagValues(fact.task.tags, name);

const groupings: Grouping[] = [
	{ name: "hops", title: "Hops", of: ({ hops }) => (hops === undefined ? [] : [String(hops)]) },
	{ name: "topology", title: "Topology", of: ({ topology }) => (topology ? [topology] : []) },
	{ name: "answer-type", title: "Answer type", of: ({ task }) => [task.answer.type] },
	{ name: "question-type", title: "Question type", of: tag("questionType") },
	{
		name: "hop-modality",
		title: "Modality of hops (a task may have several)",
		of: ({ modalities }) => [...new Set(modalities)],
	},
	{ name: "images", title: "Question images", of: ({ task }) => [String(task.images.length)] },
	{ name: "language", title: "Language", of: tag("language") },
	{ name: "document-type", title: "Document type", of: tag("documentType") },
	{
		name: "evidence-modality",
		title: "Modality of the evidence, as tagged (a task may have several)",
		of: tag("evidenceModality"),
	},
	{ name: "difficulty", title: "Difficulty, as tagged", of: tag("difficulty") },
	{
		name: "ladder-level",
		title: "Level in the nested question series",
		of: ({ task }) => (task.ladder ? [String(task.ladder.level)] : []),
	},
	{ name: "split", title: "Split", of: tag("split") },
];

/** One table a grouping that says anything, other tags of the benchmark among them. */
export function countTables(facts: readonly TaskFacts[]): StatisticsTable[] {
	const tags = [...new Set(facts.flatMap(({ task }) => Object.keys(task.tags)))]
		.filter((name) => !reserved.has(name))
		.sort();
	const others = tags.map((name): Grouping => ({ name: `tag-${name}`, title: `Tag ${name}`, of: tag(name) }));
	return [...groupings, ...others].flatMap((grouping) => countTable(grouping, facts) ?? []);
}

function countTable({ name, title, of }: Grouping, facts: readonly TaskFacts[]): StatisticsTable | undefined {
	const without = facts.filter((fact) => of(fact).length === 0).length;
	const groups = groupedByAll(facts, of);
	if (groups.size === 0) return undefined;
	const sorted = [...groups].sort(([a, m], [b, n]) =>
		/^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : n.length - m.length || (a < b ? -1 : 1),
	);
	const rows = sorted.slice(0, mostGroups).map(([group, members]) => ({
		group,
		tasks: outOf(members.length, facts.length),
		hops: meanOf(members, ({ hops }) => hops, "chain"),
		question: meanOf(members, ({ questionWords }) => questionWords, "task"),
		answer: meanOf(members, ({ answerWords }) => answerWords, "task"),
	}));
	return {
		name,
		title,
		describe: "Means over the tasks of a group; hops are those that retrieve.",
		source: "our own",
		rows,
		columns: [
			{ key: "group", title: title.split(",")[0]?.replace(/ \(.*/, "").toLowerCase() ?? name, unit: "text" },
			{ key: "tasks", title: "tasks", unit: "number" },
			{ key: "hops", title: "hops", unit: "number" },
			{ key: "question", title: "words asked", unit: "number" },
			{ key: "answer", title: "words answered", unit: "number" },
		],
		notes: [
			...(without > 0 ? [`${without} of ${facts.length} tasks have none.`] : []),
			...(groups.size > mostGroups ? [`${groups.size - mostGroups} smaller groups are not shown.`] : []),
		],
	};
}
