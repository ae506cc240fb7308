import {
	type Diagnosis,
	type Fault,
	type FindingKind,
	grouped,
	type InjectedLine,
	inDependencyOrder,
	recordKey,
	type Task,
} from "#domain";

/** What the diagnosis must name first of a task that a fault struck: fixed before the first measurement. */
export const expectedOf = {
	"image-search-off": ["wrong-modality"],
	"stop-early": ["premature-stop"],
	misread: ["misread"],
	"broken-retriever": ["retrieval-miss"],
	"over-search": ["over-extension"],
	"hallucinated-entity": ["unsupported"],
	"reversed-order": ["out-of-order", "order"],
} as const satisfies Record<Fault, readonly FindingKind[]>;

/** What really happened in one record, first cause first. */
export type Truth = Fault | "natural-miss" | "nothing";
export const truths = [...(Object.keys(expectedOf) as Fault[]), "natural-miss", "nothing"] as const;

/** One record: what was injected into it against what was found. */
export interface InjectedRecord {
	task: Task;
	repeat: number;
	truth: Truth;
	/** The hop that the truth breaks; null where it breaks none. */
	hop: string | null;
	/** What the injector says that it did. */
	did: string;
	/** What the diagnosis names first. */
	found: FindingKind | null;
	/** The hop that it calls the first broken one. */
	foundHop: string | null;
	right: boolean;
	/** The competent agent solves the task: what breaks here was injected. */
	clean: boolean;
}

/**
 * The log of an injector against the diagnoses of the same records. Where a hop that comes before the struck one was
 * searched for in vain, by no fault, that true miss is what a diagnosis should name first; so too where nothing struck.
 */
export function injectedRecords(
	lines: readonly InjectedLine[],
	{ tasks, diagnoses, clean }: { tasks: readonly Task[]; diagnoses: readonly Diagnosis[]; clean: ReadonlySet<string> },
): InjectedRecord[] {
	const last = new Map(lines.map((line) => [recordKey(line), line]));
	const byId = new Map(tasks.map((task) => [task.id, task]));
	return diagnoses.flatMap((diagnosis) => {
		const line = last.get(recordKey(diagnosis));
		const task = byId.get(diagnosis.task);
		if (!line || !task) return [];
		const { truth, hop, did } = truthOf(line, task);
		const { primary: found, firstBroken: foundHop } = diagnosis;
		const { repeat } = line;
		return [
			{ task, repeat, truth, hop, did, found, foundHop, right: isRight(truth, found), clean: clean.has(task.id) },
		];
	});
}

function isRight(truth: Truth, found: FindingKind | null): boolean {
	if (truth === "nothing") return found === null;
	const expected: readonly FindingKind[] = truth === "natural-miss" ? ["retrieval-miss"] : expectedOf[truth];
	return found !== null && expected.includes(found);
}

function truthOf({ injected, missed }: InjectedLine, task: Task): Pick<InjectedRecord, "truth" | "hop" | "did"> {
	const order = task.chain ? inDependencyOrder(task.chain).map(({ id }) => id) : [];
	const [firstMissed] = order.filter((id) => missed.includes(id));
	const struck = injected.is === "struck" ? injected : undefined;
	const before =
		firstMissed !== undefined &&
		(!struck || (struck.hop !== null && order.indexOf(firstMissed) < order.indexOf(struck.hop)));
	const missing = `nothing: the evidence of ${firstMissed} did not come back`;
	if (before) return { truth: "natural-miss", hop: firstMissed, did: missing };
	return struck
		? { truth: struck.fault, hop: struck.hop, did: struck.did }
		: { truth: "nothing", hop: null, did: "nothing" };
}

/** A kind of mistake, with one task of it and what the injector did there. */
export interface Mistake<Found extends string> {
	truth: Truth;
	found: Found;
	count: number;
	example: { task: string; did: string };
}

/** Every kind of mistake, the commonest first. */
export function mistakesOf<Found extends string>(
	wrong: readonly { record: InjectedRecord; found: Found }[],
): Mistake<Found>[] {
	const kinds = grouped(wrong, ({ record, found }) => `${record.truth} ${found}`).values();
	const mistakes = [...kinds].flatMap((own) =>
		own.slice(0, 1).map(({ record: { truth, task, did }, found }) => ({
			truth,
			found,
			count: own.length,
			example: { task: task.id, did },
		})),
	);
	return mistakes.sort((a, b) => b.count - a.count);
}
