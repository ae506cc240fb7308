import { type Hop, identifyingHops, isSearch, type SearchTool, searchTools, type Task } from "#domain";
import { contentStems } from "../reading/words.ts";
import type { Observation, Tools } from "../tools/tools.ts";
import { oneOf } from "./drawn.ts";

/** A hop's searches, broken. */
export interface Broken {
	task: Task;
	hop: Hop;
	/** What all chance in it is drawn from. */
	seedKey: string;
	/** Of the whole benchmark: their sub-questions are what is searched for instead. */
	tasks: readonly Task[];
	/** Told of each search that was broken. */
	broke(tool: SearchTool): void;
}

/**
 * Tools that bring back real results of another question whenever a search is for the struck hop: one whose words share
 * the most with its sub-question among the task's, or one by the question image that it identifies.
 */
export function breakTools(tools: Tools, broken: Broken): Tools {
	const wrapped: Record<string, unknown> = { ...tools };
	for (const [tool, made] of Object.entries(tools)) {
		if (!isSearch(tool) || !made) continue;
		const search = made as (call: Asked) => Promise<Observation>;
		wrapped[tool] = async (call: Asked) => {
			if (!isFor(broken, call)) return search(call);
			broken.broke(tool);
			return unrelated(tools, tool, call, broken);
		};
	}
	return wrapped as unknown as Tools;
}

interface Asked {
	k: number;
	query?: string;
	image?: number;
}

function isFor({ task, hop }: Broken, { query, image }: Asked): boolean {
	if (image !== undefined) return identifyingHops(task).get(hop.id) === image;
	if (query === undefined) return false;
	const asked = new Set(contentStems(query));
	const shares = (task.chain?.hops ?? []).flatMap((one) =>
		one.evidence.length > 0 ? [{ id: one.id, share: shared(asked, contentStems(one.question)) }] : [],
	);
	const most = Math.max(0, ...shares.map(({ share }) => share));
	return most > 0 && shares.some(({ id, share }) => id === hop.id && share === most);
}

/** Dice's coefficient of two sets of word stems. */
function shared(asked: ReadonlySet<string>, stems: readonly string[]): number {
	const both = stems.filter((stem) => asked.has(stem)).length;
	return asked.size + stems.length === 0 ? 0 : (2 * both) / (asked.size + stems.length);
}

/** Another task's sub-question is searched for by words in the same kind of source; nothing of this task's is among it. */
async function unrelated(tools: Tools, tool: SearchTool, call: Asked, broken: Broken): Promise<Observation> {
	const { task, tasks, seedKey } = broken;
	const own = new Set(task.chain?.hops.flatMap(({ evidence }) => evidence));
	const byWords = searchTools[tool] === "image" ? "image_search_by_text" : tool;
	const search = tools[byWords] as ((asked: { query: string; k: number }) => Promise<Observation>) | undefined;
	const other = oneOf(tasks, seedKey, call.query ?? `image ${call.image}`);
	const question = oneOf(other?.chain?.hops ?? [], seedKey)?.question ?? other?.question;
	if (!search || question === undefined) return { results: [] };
	const found = await search({ query: question, k: call.k + own.size });
	const results = found.results.filter(({ id }) => !own.has(id)).slice(0, call.k);
	return { ...found, results: results.map((result, index) => ({ ...result, rank: index + 1 })) };
}
