import type { Command } from "commander";
import { counted, plainLine } from "#domain";
import type { EntityShown, GraphSummary, ShowGraphOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber } from "../context.ts";
import { watch } from "../watch.ts";
import { withKnowledge } from "./graph-options.ts";

/** `hopscope graph show [ENTITY]`: what a graph holds, or what it says of one entity. */
export function addGraphShow(graph: Command, context: Context): void {
	withKnowledge(graph.command("show"))
		.description("What the graph holds, or what it says of one entity and where")
		.argument("[entity]", "a name or an id")
		.option("-k, --k <n>", "how many relations", wholeNumber(1, 10_000), 20)
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope graph show --knowledge wiki
  $ hopscope graph show "Andrei Tarkovsky" --knowledge wiki -k 50`,
		)
		.action(async (name: string | undefined, options: ShowGraphOptions & CommonOptions) => {
			const { output } = context;
			if (name === undefined) {
				const summary = await watch(context, options, (bench) => bench.graphSummary(options));
				output.write(options.json ? JSON.stringify(summary) : summaryLines(summary).join("\n"));
				return sayNext(context, `search "…" --knowledge ${options.knowledge} --mode graph`, options);
			}
			const entities = await watch(context, options, (bench) => bench.graphEntities(name, options));
			if (options.json) return output.write(JSON.stringify({ entities }));
			for (const entity of entities) output.write(entityLines(entity).join("\n"));
		});
}

function summaryLines({ manifest, relations, hubs }: GraphSummary): string[] {
	const counts = manifest?.counts;
	const share = (value: number) => value.toFixed(2);
	return [
		`${plainLine(manifest?.name ?? "graph")}: ${counts?.triples} triples of ${counts?.entities} entities, stated ${counts?.statements} times in ${counts?.evidence} passages; from ${plainLine(manifest?.origins.join(", ") ?? "")}`,
		...(manifest?.losses ?? []).map((warning) => `warning: ${plainLine(warning)}`),
		"",
		"relations (edges; how far the subject determines the object, and the object the subject)",
		...relations.map(
			(one) => `  ${plainLine(one.relation)}  ${one.edges}  ${share(one.functionality)}  ${share(one.inverse)}`,
		),
		"",
		"entities with most relations",
		...hubs.map(({ name, degree }) => `  ${plainLine(name)}  ${degree}`),
	];
}

function entityLines({ entity, degree, neighbours }: EntityShown): string[] {
	const more = degree - neighbours.length;
	return [
		`${plainLine(entity.name)}  [${plainLine(entity.id)}]  ${plainLine(entity.types.join(", "))}`,
		...(entity.aliases.length > 0 ? [`  also: ${plainLine(entity.aliases.join("; "))}`] : []),
		...(entity.merges ?? []).map(({ alias, reason }) => `  "${plainLine(alias)}" is the same: ${plainLine(reason)}`),
		...neighbours.flatMap(neighbourLines),
		...(more > 0 ? [`  and ${counted(more, "relation")} more`] : []),
	];
}

function neighbourLines({ triple, forward, to }: EntityShown["neighbours"][number]): string[] {
	const { statements, directed, relation } = triple;
	const arrow = directed ? (forward ? `${relation} →` : `← ${relation}`) : `– ${relation} –`;
	const [first] = statements;
	const where = first
		? `${first.evidence}${first.pages ? `, page ${first.pages.map((page) => page + 1).join(", ")}` : ""}${statements.length > 1 ? ` and ${statements.length - 1} more` : ""}`
		: "stated nowhere in the corpus";
	const quote = first?.quote ? `: "${first.quote}"` : first?.basis === "mention" ? " (names both)" : "";
	return [`  ${plainLine(arrow)} ${plainLine(to.name)}`, `      ${plainLine(where + quote)}`];
}
