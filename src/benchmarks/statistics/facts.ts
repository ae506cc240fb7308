import { type Evidence, type Hop, retrievalHops, type Task, type Topology, topologyOf } from "#domain";
import { citedBy } from "../cited-by.ts";
import { lookedUp } from "../looked-up.ts";

/** What the tables count of one task. */
export interface TaskFacts {
	task: Task;
	/** Hops that retrieve; undefined without a chain. */
	hops: number | undefined;
	/** Hops in all, computing ones too. */
	steps: number | undefined;
	topology: Topology | undefined;
	/** Of the retrieving hops, as the chain says. */
	modalities: Hop["modality"][];
	questionWords: number;
	answerWords: number;
	/** Gold evidence, each id once. */
	evidence: Set<string>;
	/** Documents of its gold evidence; undefined where no knowledge base was given. */
	documents: Set<string> | undefined;
	/** Pages among its gold evidence. */
	pages: Set<string> | undefined;
}

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
	tasks: readonly Task[],
	evidence?: (id: string) => Promise<EvidenceFact | undefined>,
): Promise<TaskFacts[]> {
	const found = new Map<string, EvidenceFact>();
	if (evidence) {
		const ids = tasks.flatMap(citedBy);
		for await (const { id, found: fact } of lookedUp(ids, evidence))
			if (fact) found.set(id, { kind: fact.kind, document: fact.document });
	}
	return tasks.map((task) => {
		const { chain } = task;
		const ids = new Set(citedBy(task));
		const known = [...ids].flatMap((id) => {
			const fact = found.get(id);
			return fact ? [{ id, ...fact }] : [];
		});
		return {
			task,
			hops: chain && retrievalHops(chain).length,
			steps: chain?.hops.length,
			topology: chain && topologyOf(chain),
			modalities: chain ? retrievalHops(chain).map(({ modality }) => modality) : [],
			questionWords: lengthInWords(task.question),
			answerWords: lengthInWords(task.answer.value),
			evidence: ids,
			documents: evidence ? new Set(known.map(({ document }) => document)) : undefined,
			pages: evidence ? new Set(known.flatMap(({ id, kind }) => (kind === "page" ? [id] : []))) : undefined,
		};
	});
}
