import type { AgentContext, Tools } from "#agents";
import { type EvidenceKind, type Hop, searchTools, statementOf } from "#domain";
import { aroundSearches, type Result, type Search } from "./around-searches.ts";
import type { Given, Intervene } from "./given.ts";
import { createGoldAim } from "./gold-aim.ts";

/** A search that aims at a gold hop returns that hop's evidence first: a perfect retriever, whatever kind was searched. */
export const oracleRetrieval: Intervene = (given) =>
	given.ask(given.view, { tools: withGoldEvidence(given, { stated: false }) });

/** The same, and the first text of each hop begins with its sub-question and answer in one plain sentence. */
export const oracleReading: Intervene = (given) =>
	given.ask(given.view, { tools: withGoldEvidence(given, { stated: true }) });

/** Tools that find the evidence of the hops they aim at, of all hops or those of `only`; with their answers where `stated`. */
export function withGoldEvidence(
	{ context, gold, note }: Pick<Given, "context" | "gold" | "note">,
	{ stated, only }: { stated: boolean; only?: ReadonlySet<string> },
): Tools {
	const aim = createGoldAim(gold, context.tools);
	return aroundSearches(aim.tools, async (search) => {
		note.searched();
		const observation = await search.run();
		const aimed = aim.at(search).filter((hop) => hop.evidence.length > 0 && (only?.has(hop.id) ?? true));
		const found: { hop: Hop; results: Result[] }[] = [];
		for (const hop of aimed) {
			const results = await goldResults(hop, { search, context, gold, found: observation.results });
			if (results.length > 0) found.push({ hop, results });
		}
		if (found.length === 0) return observation;
		note.acted(found.map(({ hop }) => hop.id));
		const statements = new Map<string, string[]>();
		for (const { hop, results } of stated ? found : [])
			for (const { id } of results.slice(0, 1))
				statements.set(id, [...(statements.get(id) ?? []), statementOf(hop.question, hop.answer.value)]);
		const first = inTurn(found.map(({ results }) => results)).slice(0, Math.max(search.k, found.length));
		const ids = new Set(first.map(({ id }) => id));
		const rest = observation.results.filter(({ id }) => !ids.has(id));
		const told = first.map((result) => withStatements(result, statements.get(result.id) ?? []));
		return { ...observation, results: [...told, ...rest].slice(0, Math.max(search.k, found.length)) };
	});
}

/** A hop can list very many evidences that state it; any one suffices. */
const mostLookedUp = 24;

/**
 * A hop's acceptable evidence as results, at most as many as were asked for: of the kind that the tool searches where there
 * is any, in the task's language before others, then as the benchmark lists it.
 */
async function goldResults(
	hop: Hop,
	{ search, context, gold, found }: Pick<Given, "context" | "gold"> & { search: Search; found: readonly Result[] },
): Promise<Result[]> {
	const known = new Map(found.map((result) => [result.id, result]));
	const score = Math.max(1, ...found.map((result) => result.score));
	const all: Result[] = [];
	for (const id of hop.evidence.slice(0, mostLookedUp)) {
		const result = known.get(id) ?? (await resultOf(id, context, score));
		if (result) all.push(result);
	}
	const kind = kinds[searchTools[search.tool]];
	const fitting = all.filter((result) => result.kind === kind);
	const foreign = ({ language }: Result) => Number(language !== gold.tags.language);
	return (fitting.length > 0 ? fitting : all).sort((a, b) => foreign(a) - foreign(b)).slice(0, search.k);
}

const kinds: Record<(typeof searchTools)[keyof typeof searchTools], EvidenceKind> = {
	text: "passage",
	image: "image",
	page: "page",
};

async function resultOf(
	id: string,
	context: Pick<AgentContext, "knowledge">,
	score: number,
): Promise<Result | undefined> {
	const evidence = await context.knowledge.evidence(id);
	if (!evidence) return undefined;
	const { kind, document, title, language } = evidence;
	const text = kind === "image" ? evidence.caption : evidence.text;
	return {
		...{ id, score, rank: 1, kind, document, title, language, text, snippet: text.slice(0, 200) },
		...(kind === "page" ? { page: evidence.page } : {}),
		...(kind === "page" && evidence.label !== undefined ? { label: evidence.label } : {}),
	};
}

function withStatements(result: Result, statements: readonly string[]): Result {
	if (statements.length === 0) return result;
	const said = statements.join("\n");
	return { ...result, text: `${said}\n\n${result.text}`, snippet: said.slice(0, 200) };
}

/** The first of each list, then the second of each, and so on; each once. */
function inTurn(lists: readonly (readonly Result[])[]): Result[] {
	const longest = Math.max(0, ...lists.map((list) => list.length));
	const all = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
	return [...new Map(all.map((result) => [result.id, result])).values()];
}
