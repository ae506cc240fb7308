/** Records of which every summary says the same, counted together: what a record says is then worked out once for all of them. */
import { type Diagnosis, type HopDiagnosis, identifyingHops, inDependencyOrder, type Task } from "#domain";
import { clustersIn, type KindCounts, kindCounts } from "./shares.ts";

/** One expected record: a task, once for each repeat, with what was found of it; without a diagnosis it has no record. */
export interface DiagnosedItem {
	task: Task;
	diagnosis?: Diagnosis | undefined;
	/** Of the record, where several have the same diagnosis; else those of the diagnosis count. */
	repeat?: number | undefined;
	attempt?: number | undefined;
}

/** What is said of records of one kind, by one of them. */
export interface RecordKind {
	task: Task;
	diagnosis: Diagnosis | undefined;
	/** What judges say of the answer. */
	judgedRight: boolean | undefined;
}

export interface AlikeRecords {
	/** In the order in which they come. */
	kinds: readonly RecordKind[];
	counts: KindCounts;
}

/** Whether judges find a record's answer right (`judgedRightIn`). */
export type JudgedRight = (record: { task: string; repeat: number; attempt: number }) => boolean | undefined;

/**
 * The records by kind. Two are of one kind where nothing that a summary reads tells them apart: names of hops, indexes of
 * steps, ids of evidence and sentences for people do not count.
 */
export function alikeRecords(
	items: readonly DiagnosedItem[],
	judgedRight: JudgedRight = () => undefined,
): AlikeRecords {
	const kinds: RecordKind[] = [];
	const numbers = new Map<string, number>();
	const keys = keyMaker();
	// of a diagnosis that many records share the key is made once
	const seen = new Map<Diagnosis, { kind: number } & RecordKind>();
	const kindOf = (record: RecordKind): number => {
		const key = keys(record);
		const known = numbers.get(key);
		if (known !== undefined) return known;
		numbers.set(key, kinds.length);
		return kinds.push(record) - 1;
	};
	const found = Int32Array.from(items, ({ task, diagnosis, repeat, attempt }) => {
		if (!diagnosis) return kindOf({ task, diagnosis, judgedRight: undefined });
		const judged = judgedRight({
			task: task.id,
			repeat: repeat ?? diagnosis.repeat,
			attempt: attempt ?? diagnosis.attempt,
		});
		const before = seen.get(diagnosis);
		if (before && before.task === task && before.judgedRight === judged) return before.kind;
		const record = { task, diagnosis, judgedRight: judged };
		const kind = kindOf(record);
		seen.set(diagnosis, { ...record, kind });
		return kind;
	});
	return { kinds, counts: kindCounts(found, clustersIn(items)) };
}

/** Makes a text of all that summaries read of a record: of two that are alike the same. */
function keyMaker(): (record: RecordKind) => string {
	const chains = new Map<Task, ChainKey>();
	const texts = new Map<string, number>();
	/** Texts that are anyone's, as numbers: no sign in them is taken for one of the key's own. */
	const textKey = (text: string): number => {
		const number = texts.get(text) ?? texts.size;
		texts.set(text, number);
		return number;
	};
	const chainOf = (task: Task): ChainKey => {
		const known = chains.get(task) ?? chainKey(task);
		chains.set(task, known);
		return known;
	};
	return ({ task, diagnosis, judgedRight }) => {
		const { key, places } = chainOf(task);
		if (!diagnosis) return key;
		const hopKey = (id: string) => places.get(id) ?? `"${textKey(id)}`;
		const { right, primary, firstBroken, unobserved, findings, notJudged, plan, hops } = diagnosis;
		return [
			key,
			`${right} ${judgedRight} ${primary} ${firstBroken === null ? "" : hopKey(firstBroken)}`,
			unobserved.map(hopKey).join(" "),
			findings.map(({ is }) => is).join(" "),
			notJudged.map(({ what, reason }) => `${what.join(" ")} ${textKey(reason)}`).join(","),
			plan ? `${plan.coverage} ${plan.spurious} ${plan.adherence} ${plan.revised}` : "",
			hops.map((hop) => `${hopKey(hop.hop)} ${hop.is === "judged" ? judgedKey(hop) : textKey(hop.reason)}`).join(","),
		].join("|");
	};
}

function judgedKey({ verdict, aimed, evidence, otherEvidence, seen, miss }: HopDiagnosis & { is: "judged" }): string {
	const came = evidence.length > 0 || (otherEvidence?.length ?? 0) > 0;
	return `${verdict} ${aimed.length > 0} ${came} ${seen?.by === "answer"} ${miss?.is}`;
}

interface ChainKey {
	key: string;
	/** Of each hop, in the order of dependency. */
	places: ReadonlyMap<string, number>;
}

function chainKey(task: Task): ChainKey {
	if (!task.chain) return { key: "no chain", places: new Map() };
	const { sink } = task.chain;
	const hops = inDependencyOrder(task.chain);
	const places = new Map(hops.map(({ id }, place) => [id, place]));
	const anchors = identifyingHops(task);
	const key = hops.map(({ id, evidence, modality }) =>
		[evidence.length > 0, modality === "image", anchors.has(id), id === sink].map(Number).join(""),
	);
	// a chain that names two hops alike, or a sink that is none, is like no other
	const isSound = places.size === hops.length && places.has(sink);
	return { key: isSound ? key.join(" ") : JSON.stringify(task.id), places };
}
