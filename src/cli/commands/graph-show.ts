import { join } from "node:path";
import type { Command } from "commander";
import { counted, type Entity, exitCodes, HopscopeError, plainLine } from "#domain";
import { type Graph, type GraphStep, graphFolder, openGraph } from "#graph";
import { openWorkspace } from "#store";
import { locate } from "#workbench";
import { type Context, wholeNumber } from "../context.ts";
import { type GraphOptions, withKnowledge } from "./graph-options.ts";

interface ShowOptions extends GraphOptions {
	k: number;
}

/** `hopscope graph show [ENTITY]`: what a graph holds, or what it says of one entity. */
export function addGraphShow(graph: Command, { output }: Context): void {
	withKnowledge(graph.command("show"))
		.description("What the graph holds, or what it says of one entity and where")
		.argument("[entity]", "a name or an id")
		.option("-k <n>", "how many relations", wholeNumber(1, 10_000), 20)
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope graph show --knowledge wiki
  $ hopscope graph show "Andrei Tarkovsky" --knowledge wiki -k 50`,
		)
		.action(async (name: string | undefined, options: ShowOptions) => {
			const opened = await openGraph(
				join(await locate(openWorkspace(options.workspace), "knowledge", options.knowledge), graphFolder),
			);
			if (name === undefined) {
				const about = summary(opened, options.k);
				output.write(options.json ? JSON.stringify(about) : summaryLines(about).join("\n"));
				return;
			}
			const entities = entitiesCalled(opened, name);
			if (options.json) {
				output.write(JSON.stringify({ entities: entities.map((entity) => about(opened, entity, options.k)) }));
				return;
			}
			for (const entity of entities) output.write(entityLines(opened, entity, options.k).join("\n"));
		});
}

function entitiesCalled(graph: Graph, name: string): Entity[] {
	const exact = graph.entities.get(name);
	const found = exact ? [exact] : graph.find(name);
	if (found.length > 0) return found;
	const near = graph
		.link(name)
		.slice(0, 8)
		.map(({ entity }) => entity.name);
	throw new HopscopeError(
		"unknown-entity",
		`the graph has no entity "${name}"`,
		near.length > 0 ? `Near it: ${near.join(", ")}.` : "See what there is: hopscope graph show.",
		{ exitCode: exitCodes.usage, facts: { near } },
	);
}

function summary(graph: Graph, k: number) {
	const relations = [...new Set(graph.triples.map(({ relation }) => relation))]
		.flatMap((relation) => graph.functionality(relation) ?? [])
		.filter((one, at, all) => all.findIndex(({ relation }) => relation === one.relation) === at)
		.sort((a, b) => b.edges - a.edges || (a.relation < b.relation ? -1 : 1));
	const hubs = [...graph.entities.values()]
		.map((entity) => ({ id: entity.id, name: entity.name, degree: graph.degree(entity.id) }))
		.sort((a, b) => b.degree - a.degree || (a.id < b.id ? -1 : 1));
	return { manifest: graph.manifest, relations: relations.slice(0, k), hubs: hubs.slice(0, k) };
}

function summaryLines({ manifest, relations, hubs }: ReturnType<typeof summary>): string[] {
	const counts = manifest?.counts;
	const share = (value: number) => value.toFixed(2);
	return [
		`${plainLine(manifest?.name ?? "graph")}: ${counts?.triples} triples of ${counts?.entities} entities, stated ${counts?.statements} times in ${counts?.evidence} passages; from ${plainLine(manifest?.origins.join(", ") ?? "")}`,
		...(manifest?.losses ?? []).map((loss) => `lost: ${plainLine(loss)}`),
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

function about(graph: Graph, entity: Entity, k: number) {
	const steps = graph.neighbours(entity.id);
	const neighbours = steps
		.slice(0, k)
		.map(({ triple, forward, to }) => ({ forward, to: { id: to.id, name: to.name }, triple }));
	return { entity, degree: steps.length, hubPercentile: graph.hubPercentile(entity.id), neighbours };
}

function entityLines(graph: Graph, entity: Entity, k: number): string[] {
	const steps = graph.neighbours(entity.id);
	const more = steps.length > k ? [`  and ${counted(steps.length - k, "relation")} more`] : [];
	return [
		`${plainLine(entity.name)}  [${plainLine(entity.id)}]  ${plainLine(entity.types.join(", "))}`,
		...(entity.aliases.length > 0 ? [`  also: ${plainLine(entity.aliases.join("; "))}`] : []),
		...(entity.merges ?? []).map(({ alias, reason }) => `  "${plainLine(alias)}" is the same: ${plainLine(reason)}`),
		...steps.slice(0, k).flatMap(stepLines),
		...more,
	];
}

function stepLines({ triple, forward, to }: GraphStep): string[] {
	const { statements, directed, relation } = triple;
	const arrow = directed ? (forward ? `${relation} →` : `← ${relation}`) : `– ${relation} –`;
	const [first] = statements;
	const where = first
		? `${first.evidence}${first.pages ? `, page ${first.pages.map((page) => page + 1).join(", ")}` : ""}${statements.length > 1 ? ` and ${statements.length - 1} more` : ""}`
		: "stated nowhere in the corpus";
	const quote = first?.quote ? `: "${first.quote}"` : first?.basis === "mention" ? " (names both)" : "";
	return [`  ${plainLine(arrow)} ${plainLine(to.name)}`, `      ${plainLine(where + quote)}`];
}
