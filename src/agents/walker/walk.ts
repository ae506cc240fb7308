/** The walk along a gold chain with real searches: what is known is only what came back. */
import {
	type Hop,
	identifyingHops,
	inDependencyOrder,
	type SearchTool,
	type Step,
	statedAnswer,
	type Task,
	type TaskView,
	type Trajectory,
} from "#domain";
import type { AgentContext } from "../agent-context.ts";
import { createRecorder, type Recorder, recorded } from "../driver/recorder.ts";
import type { Observation } from "../tools/tools.ts";
import { computed } from "./compute.ts";
import { askedQuestion, wordings } from "./wording.ts";

type Result = Observation["results"][number];

/** What the walker read for a hop: its own words for it, and whether they are the gold answer. */
interface Known {
	value: string;
	right: boolean;
}

/** How a walk differs from the competent one; what is left out is as it should be. */
export interface Behaviour {
	/** The hops it walks, from all in the order of dependency. */
	plan?(hops: Hop[]): Hop[];
	tool?(tool: SearchTool): SearchTool;
	/** Another value than the gold answer, which stands in what came back; `brought` is what this hop's search brought. */
	read?(hop: Hop, came: { brought: Result[]; seen: Result[] }): string | undefined;
	/** Searches after the walk. */
	after?(walked: Walked): string[];
	/** Asks a hop although it does not know what the hop needs, and answers with the last it read. */
	careless?: boolean;
}

/** How a walk went, by hop ids. */
export interface Walked {
	/** Hops whose evidence came back, and those that were searched for in vain. */
	got: Set<string>;
	missed: Set<string>;
	/** Every hop has its right answer. */
	whole: boolean;
	/** All that came back, in order. */
	seen: Result[];
}

interface Walk {
	task: Task;
	view: TaskView;
	context: AgentContext;
	recorder: Recorder;
	behaviour: Behaviour;
	hops: Hop[];
	known: Map<string, Known>;
	seen: Map<string, Result>;
	searchedFor: Set<string>;
}

/** Walks a task's chain. `ended` is told how it went before the trajectory is handed back. */
export async function walk(
	view: TaskView,
	context: AgentContext,
	{ behaviour, ended }: { behaviour: Behaviour; ended?: ((walked: Walked) => Promise<void>) | undefined },
): Promise<Trajectory> {
	const { gold: task, signal, tools } = context;
	const recorder = createRecorder(tools, { signal });
	return recorded(recorder, signal, async () => {
		signal.throwIfAborted();
		if (!task) throw new Error("the walker was not given the task's gold chain");
		const hops = task.chain ? inDependencyOrder(task.chain) : [];
		const maps = { known: new Map(), seen: new Map(), searchedFor: new Set<string>() };
		const state: Walk = { task, view, context, recorder, behaviour, hops, ...maps };
		for (const hop of behaviour.plan?.(hops) ?? hops) await walkHop(state, hop);
		const walked = walkedOf(state);
		for (const query of behaviour.after?.(walked) ?? []) await search(state, "text_search", query, {});
		await ended?.(walked);
		return answered(state);
	});
}

async function walkHop(state: Walk, hop: Hop): Promise<void> {
	const { known, hops, behaviour } = state;
	const missing = hop.needs.some((need) => !known.has(need.hop));
	const own = new Map([...known].map(([id, { value }]) => [id, value]));
	const subQuestion = askedQuestion(hop, { hops, known: own });
	if (hop.evidence.length > 0) {
		if (!missing || behaviour.careless) await searchHop(state, hop, subQuestion, missing);
	} else if (!missing) computeHop(state, hop, subQuestion);
}

async function searchHop(state: Walk, hop: Hop, subQuestion: string, missing: boolean): Promise<void> {
	const { known, seen, behaviour } = state;
	const acceptable = new Set(hop.evidence);
	// what is asked of the wrong thing is not answered by the gold evidence
	const rightly = !missing && hop.needs.every((need) => known.get(need.hop)?.right);
	const brought: Result[] = [];
	let step: Step | undefined;
	let stated: string | undefined;
	for (const { tool, query, image } of searchesFor(state, hop, subQuestion)) {
		const found = await search(state, tool, query, { subQuestion, image });
		if (!found) break;
		step = found.step;
		brought.push(...found.results);
		state.searchedFor.add(hop.id);
		stated = statedFor(hop, found.results);
		if (stated !== undefined || [...acceptable].some((id) => seen.has(id))) break;
	}
	const came = [...acceptable].some((id) => seen.has(id));
	if (!step) return;
	if (stated !== undefined) return keep(state, hop, step, stated);
	if (!came || !rightly) return;
	const read = behaviour.read?.(hop, { brought: evidenceFirst(brought, acceptable), seen: [...seen.values()] });
	keep(state, hop, step, read ?? hop.answer.value);
}

const evidenceFirst = (results: Result[], acceptable: ReadonlySet<string>) => [
	...results.filter(({ id }) => acceptable.has(id)),
	...results.filter(({ id }) => !acceptable.has(id)),
];

function keep({ known }: Pick<Walk, "known">, hop: Hop, step: Step, value: string): void {
	step.subAnswer = value;
	known.set(hop.id, { value, right: value === hop.answer.value });
}

/** The answer that a result states of this very hop, as interventions write it. */
function statedFor(hop: Hop, results: readonly Result[]): string | undefined {
	for (const { text } of results) {
		const answer = statedAnswer(text, hop.question);
		if (answer !== undefined) return answer;
	}
	return undefined;
}

interface Search {
	tool: SearchTool;
	query: string;
	image?: number | undefined;
}

/** The searches that may bring a hop's evidence, the likeliest first: its own modality, other wordings. */
function searchesFor({ task, view, behaviour }: Walk, hop: Hop, subQuestion: string): Search[] {
	const through = (tool: SearchTool) => behaviour.tool?.(tool) ?? tool;
	const byWords = through(
		hop.modality === "image" ? "image_search_by_text" : hop.modality === "page" ? "page_search" : "text_search",
	);
	const searches: Search[] = wordings(subQuestion).map((query) => ({ tool: byWords, query }));
	const image = identifyingHops(task).get(hop.id);
	if (
		image === undefined ||
		image >= view.images.length ||
		through("image_search_by_image") !== "image_search_by_image"
	)
		return searches;
	return [{ tool: "image_search_by_image", query: subQuestion, image }, ...searches];
}

/** One search, remembered; undefined once the setting's limit is reached. */
async function search(
	{ recorder, context, seen }: Walk,
	tool: SearchTool,
	query: string,
	{ subQuestion, image }: { subQuestion?: string; image?: number | undefined },
): Promise<{ step: Step; results: Result[] } | undefined> {
	const { k, limit = Number.POSITIVE_INFINITY } = context.setting;
	if (recorder.searches >= limit) return undefined;
	const about = subQuestion === undefined ? {} : { subQuestion };
	const call = image === undefined ? { query, k } : { image, k };
	const { observation, step } = await recorder.search(tool, call, about);
	for (const result of observation.results) seen.set(result.id, result);
	return { step, results: observation.results };
}

function computeHop(state: Walk, hop: Hop, subQuestion: string): void {
	const { known, recorder, hops, task } = state;
	const needed = hop.needs.flatMap((need) => {
		const from = known.get(need.hop);
		return from ? [{ ...from, hop: need.hop }] : [];
	});
	const right = needed.every((one) => one.right) && hop.answer.type !== "none";
	const operands = needed.map(({ hop: id, value }) => {
		const bridge = hops.find((one) => one.id === id)?.needs.find(({ role }) => role === "bridge");
		return { value, of: bridge && known.get(bridge.hop)?.value };
	});
	const value = right ? hop.answer.value : computed(hop, operands, { language: task.tags.language });
	const step = recorder.note({ subQuestion });
	if (value !== undefined) keep(state, hop, step, value);
}

function walkedOf({ hops, seen, searchedFor, known }: Walk): Walked {
	const got = new Set(hops.filter((hop) => hop.evidence.some((id) => seen.has(id))).map(({ id }) => id));
	return {
		got,
		missed: new Set([...searchedFor].filter((id) => !got.has(id))),
		whole: hops.every(({ id }) => known.get(id)?.right),
		seen: [...seen.values()],
	};
}

/** The sink's answer; without one the walker says that it does not know, unless it is careless. */
function answered({ task, recorder, known, behaviour }: Walk): Trajectory {
	const own = task.chain ? known.get(task.chain.sink) : undefined;
	const last = [...known.values()].at(-1);
	const answer = own ? (own.right ? task.answer.value : own.value) : behaviour.careless ? (last?.value ?? null) : null;
	const declines = own?.right && task.answer.type === "none";
	return recorder.finish({ answer: declines ? null : answer, stop: "answered" });
}
