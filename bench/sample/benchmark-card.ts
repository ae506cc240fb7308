import { type BenchmarkManifest, type Task, topologyOf } from "#domain";
import type { FunnelRow } from "#recipes";

/** The data card of the benchmark, Markdown: what it is, from what, under which terms, how made, counts, limits. */
export function cardOf(
	manifest: Pick<BenchmarkManifest, "title" | "description" | "licence" | "sources">,
	tasks: Task[],
	facts: {
		images: number;
		lookAlikes: number;
		depictions: number;
		closest: number;
		seed: number;
		funnel: readonly FunnelRow[];
	},
): string {
	const series = new Set(tasks.flatMap((task) => (task.ladder ? [task.ladder.id] : [])));
	const clusters = new Set(tasks.map((task) => task.cluster));
	const hops = tasks.flatMap((task) => task.chain?.hops ?? []);
	const count = (suits: (task: Task) => boolean) => tasks.filter(suits).length;
	return `# ${manifest.title}

${manifest.description}

- Tasks: ${tasks.length} in ${clusters.size} clusters, ${hops.length} hops in all; ${count((task) => task.images.length > 0)} tasks show ${facts.images} different images.
- Nested question series: ${series.size}, each one chain asked at 2, 3 and 4 hops.
- Licence: ${manifest.licence}. Each image states its own.

## Sources

${manifest.sources.map(({ name, version, licence, attribution }) => `- ${name}${version === undefined ? "" : ` ${version}`} (${licence}): ${attribution}`).join("\n")}

## How it was made

A template recipe, without a language model, walked the typed graph that the knowledge base was written from (seed
${facts.seed}). A hop follows a fact that its known end determines. The question nests the hops as noun phrases; an image may
stand in for a name. Evidence of a hop is every passage, table, page or image that states its fact, in either
language, or, for an image, every stored image of that kind that shows the entity. Computed answers come from the
stated values; their ranges follow from those of the values. Of the candidates for each place the one that repeats least
was taken.

A question says neither its answer, nor an answer on the way, nor a name that an image hides. The images were made from
stored ones: turned by at most 20 degrees, cropped, slanted, laid on a desk, in uneven light without change of hue,
blurred, noisy and recompressed; each states its alteration. Of ${facts.depictions} stored images that show a country, ${facts.lookAlikes} lie
closer than ${facts.closest} (the distance of image search) to another country's and start no question.

## Funnel

Every check that is a rule looked at every task; none here needs a model.

${table(
	["stage", "kind", "in", "out", "dropped"],
	facts.funnel.map(({ stage, kind, in: came, out, dropped }) => [
		stage,
		kind,
		came,
		out,
		Object.entries(dropped)
			.map(([reason, count]) => `${reason} ${count}`)
			.join(", ") || 0,
	]),
)}

## Counts

${table(
	["topology", "2 hops", "3 hops", "4 hops", "5 hops", "en", "es", "string", "number", "time", "yes/no", "all"],
	[...rowsBy(tasks, (task) => (task.chain ? topologyOf(task.chain) : "none")), ["all", ...cells(tasks)]],
)}

${table(
	["question type", "2 hops", "3 hops", "4 hops", "5 hops", "en", "es", "string", "number", "time", "yes/no", "all"],
	rowsBy(tasks, (task) => task.tags.questionType ?? "none"),
)}

${table(
	["hop modality", "hops"],
	[...new Set(hops.map((hop) => hop.modality))]
		.sort()
		.map((modality) => [modality, hops.filter((hop) => hop.modality === modality).length]),
)}

## Known limits

- The wording comes from templates: correct, not natural, and less varied than people's.
- The facts are as old as their sources; they are right within this knowledge base, not necessarily in the world today.
- The knowledge base was written from the same graph, so every fact is stated plainly somewhere in it.
- Much of it is well known: a model may answer from memory. Compare with the closed-book agent.
- Images are altered by computation, not photographed.
`;
}

type Cell = string | number;

function rowsBy(tasks: Task[], name: (task: Task) => string): Cell[][] {
	const names = [...new Set(tasks.map(name))].sort();
	return names.map((one) => [one, ...cells(tasks.filter((task) => name(task) === one))]);
}

function cells(tasks: Task[]): number[] {
	const count = (suits: (task: Task) => boolean) => tasks.filter(suits).length;
	return [
		...[2, 3, 4, 5].map((hops) => count((task) => task.chain?.hops.length === hops)),
		...["en", "es"].map((language) => count((task) => task.tags.language === language)),
		...["string", "number", "time", "boolean"].map((type) => count((task) => task.answer.type === type)),
		tasks.length,
	];
}

function table(head: string[], rows: Cell[][]): string {
	const line = (row: Cell[]) => `| ${row.join(" | ")} |`;
	return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
