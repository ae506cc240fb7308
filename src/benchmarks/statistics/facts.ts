import { type Evidence, type Hop, reasoningHops, retrievalHops, type Task, type Topology, topologyOf } from "#domain";
import { citedBy } from "../cited-by.ts";
import { lookedUp } from "../looked-up.ts";
import { sharedTexts } from "../shared-texts.ts";

/** What the tables count of one task. */
export interface TaskFacts {
	task: CountedTask;
	/** Hops that retrieve; undefined without a chain. */
	hops: number | undefined;
	/** Hops in all, computing ones too. */
	steps: number | undefined;
	topology: Topology | undefined;
	/** Of the retrieving hops, as the chain says. */
	modalities: Hop["modality"][];
	/** Hops as levels count them: neither computing nor recognising. */
	reasoning: number;
	/** Whether a hop computes. */
	computes: boolean;
	sink: { modality: Hop["modality"]; op: string | undefined } | undefined;
	/** Names that the task and its hops answer with. */
	names: string[];
	questionWords: number;
	answerWords: number;
	/** Gold evidence, each id once. */
	evidence: readonly string[];
	/** Documents of its gold evidence, each once; undefined where no knowledge base was given. */
	documents: readonly string[] | undefined;
	/** Pages among its gold evidence. */
	pages: readonly string[] | undefined;
}

/** What of a task is held for counting: neither its chain nor its evidence, of which a large benchmark has too much. */
export type CountedTask = Pick<Task, "id" | "question" | "tags" | "ladder" | "cluster" | "pending"> & {
	images: { sha256: string }[];
	answer: { type: Task["answer"]["type"]; asOf: string | undefined; keyEntities: number | undefined };
};

/** What of evidence is counted. */
export interface EvidenceFact {
	kind: Evidence["kind"];
	document: string;
}

/** Words between spaces, as papers count them; of scripts without spaces characters, since there are no words to count. */
export function lengthInWords(text: string): number {
	const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
	if (unspaced === 0) return text.split(/\s+/u).filter(Boolean).length;
	const rest = text.replace(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu, " ");
	return unspaced + rest.split(/[^\p{L}\p{N}]+/u).filter(Boolean).length;
}

/** The facts of every task; each evidence is looked up once. */
export async function taskFacts(
	tasks: Iterable<Task> | AsyncIterable<Task>,
	evidence?: (id: string) => Promise<EvidenceFact | undefined>,
): Promise<TaskFacts[]> {
	const one = sharedTexts();
	const facts: Omit<TaskFacts, "documents" | "pages">[] = [];
	for await (const task of tasks) facts.push(factOf(task, one));
	const found = new Map<string, EvidenceFact>();
	if (evidence)
		for await (const { id, found: fact } of lookedUp(new Set(facts.flatMap((fact) => fact.evidence)), evidence))
			if (fact) found.set(id, { kind: fact.kind, document: one(fact.document) });
	return facts.map((fact) => {
		if (!evidence) return { ...fact, documents: undefined, pages: undefined };
		const documents = new Set(fact.evidence.flatMap((id) => found.get(id)?.document ?? []));
		const pages = fact.evidence.filter((id) => found.get(id)?.kind === "page");
		return { ...fact, documents: [...documents], pages };
	});
}

function factOf(task: Task, one: (text: string) => string): Omit<TaskFacts, "documents" | "pages"> {
	const { chain, answer, id, question, tags, ladder, cluster, pending } = task;
	const retrieving = chain && retrievalHops(chain);
	const sink = chain?.hops.find((hop) => hop.id === chain.sink);
	const named = [answer, ...(chain?.hops ?? []).map((hop) => hop.answer)].flatMap(({ type, value }) =>
		type === "string" ? [value] : [],
	);
	const shared = Object.entries(tags).map(([name, value]) => [name, one(value)] as const);
	return {
		task: {
			...{ id, question, ladder, cluster, pending },
			tags: Object.fromEntries(shared) as Task["tags"],
			images: task.images.map(({ sha256 }) => ({ sha256: one(sha256) })),
			answer: { type: answer.type, asOf: answer.asOf, keyEntities: answer.keyEntities?.length },
		},
		hops: retrieving?.length,
		steps: chain?.hops.length,
		topology: chain && topologyOf(chain),
		modalities: retrieving?.map(({ modality }) => modality) ?? [],
		reasoning: reasoningHops(task).length,
		computes: chain?.hops.some(({ modality }) => modality === "compute") ?? false,
		sink: sink && { modality: sink.modality, op: sink.compute?.op },
		names: [...new Set([...named, ...(answer.keyEntities ?? [])])].map(one),
		questionWords: lengthInWords(question),
		answerWords: lengthInWords(answer.value),
		evidence: citedBy(task).map(one),
	};
}
