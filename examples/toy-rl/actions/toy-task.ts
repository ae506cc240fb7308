import { type Hop, identifyingHops, inDependencyOrder, type Task } from "#domain";
import { sha256 } from "#store";

/** A task as the toy plays it: what the frozen asker would ask, in order, and what the frozen reader may say. */
export interface ToyTask {
	id: string;
	question: string;
	images: number;
	hops: ToyHop[];
	/** How many hops the policy is told that there are: right in 7 of 10 tasks, else one more or one less. */
	depthCue: number;
	right: string;
	wrong: string;
	/** Sub-questions of other tasks: searches that have nothing to do with this one. */
	irrelevant: string[];
}

/** A hop that needs retrieval. */
export interface ToyHop {
	id: string;
	question: string;
	/** Index of the question image that shows it; text is searched for it otherwise. */
	image?: number;
	evidence: ReadonlySet<string>;
	needs: string[];
}

const mostIrrelevant = 8;

/** The tasks whose every retrieving hop can be found by the protocol's two searches: by words, or by a question image. */
export function toyTasks(tasks: readonly Task[]): ToyTask[] {
	const playable = tasks.flatMap((task) => {
		const hops = hopsOf(task);
		return hops ? [{ task, hops }] : [];
	});
	return playable.map(({ task, hops }, at) => {
		const others = playable.filter(({ task: other }) => clusterOf(other) !== clusterOf(task));
		const from = Math.floor(drawn("irrelevant", task.id) * others.length);
		const picked = [...others.slice(from), ...others.slice(0, from)];
		return {
			id: task.id,
			question: task.question,
			images: task.images.length,
			hops,
			depthCue: depthCue(task.id, hops.length),
			right: task.answer.value,
			wrong:
				wrongAnswer(
					task,
					picked.map((one) => one.task),
				) ?? `${at}`,
			irrelevant: picked.slice(0, mostIrrelevant).map((one) => one.hops.at(-1)?.question ?? one.task.question),
		};
	});
}

const clusterOf = ({ id, cluster, ladder }: Task) => cluster ?? ladder?.id ?? id;

function hopsOf(task: Task): ToyHop[] | undefined {
	if (!task.chain || task.answer.type === "none" || task.answer.type === "list") return undefined;
	const images = identifyingHops(task);
	const retrieving = inDependencyOrder(task.chain).filter(({ evidence }) => evidence.length > 0);
	if (!retrieving.every((hop) => images.has(hop.id) || hop.modality === "text" || hop.modality === "table"))
		return undefined;
	const ids = new Set(retrieving.map(({ id }) => id));
	return retrieving.map((hop) => toyHop(hop, { image: images.get(hop.id), ids }));
}

function toyHop(hop: Hop, { image, ids }: { image: number | undefined; ids: ReadonlySet<string> }): ToyHop {
	const needs = hop.needs.flatMap(({ hop: needed }) => (ids.has(needed) ? [needed] : []));
	const { id, question } = hop;
	return { id, question, evidence: new Set(hop.evidence), needs, ...(image === undefined ? {} : { image }) };
}

function depthCue(id: string, hops: number): number {
	const luck = drawn("depth", id);
	return luck < 0.7 ? hops : luck < 0.85 ? hops + 1 : Math.max(1, hops - 1);
}

/** The answer of another task of the same kind. */
function wrongAnswer({ answer }: Task, others: readonly Task[]): string | undefined {
	const accepted = new Set([answer.value, ...answer.accepted].map((text) => text.toLowerCase()));
	const differs = (text: string) => !accepted.has(text.toLowerCase());
	return others.find(({ answer: other }) => other.type === answer.type && differs(other.value))?.answer.value;
}

/** A number in [0, 1) that depends on nothing but what it is drawn for. */
export function drawn(...parts: (string | number)[]): number {
	return Number.parseInt(sha256(JSON.stringify(parts)).slice(0, 8), 16) / 2 ** 32;
}
