/** A gold hop as its page shows it: its verdict, its steps, and what stands in its value's place. */
import {
	clip,
	type Diagnosis,
	type Hop,
	type HopDiagnosis,
	isBroken,
	type RunRecord,
	type Step,
	type Task,
} from "#domain";
import { hopSentence, modalityName } from "#reports";
import { typedAccuracy } from "#scoring";
import type { TaskHop } from "./pages.ts";

/** What is known of an answer that its hops and steps are made from. */
export interface Known {
	task: Task;
	record: RunRecord;
	diagnosis: Diagnosis | undefined;
}

export type Judged = Extract<HopDiagnosis, { is: "judged" }>;

const mostWanted = 12;

/** Without what is only known once all hops and texts are: notes, proof and excerpts. */
export function hopOf(hop: Hop, place: number, { task, record, diagnosis }: Known): TaskHop {
	const { steps } = record.trajectory;
	const said = judgedHop(diagnosis, hop.id);
	const came = new Set([...(said?.evidence ?? []), ...(said?.otherEvidence ?? [])]);
	const wanted = [...hop.evidence].sort((a, b) => Number(came.has(b)) - Number(came.has(a)));
	const image = task.images.findIndex(({ id }) => id === hop.region?.image);
	return {
		id: hop.id,
		place,
		question: clip(hop.question, 600),
		modality: modalityName(hop.modality),
		gold: clip(hop.answer.value, 300),
		needs: hop.needs.map(({ hop: needed, role }) => ({ hop: needed, role })),
		verdict: said?.verdict ?? "not-judged",
		first: diagnosis?.firstBroken === hop.id,
		possible: diagnosis?.unobserved.includes(hop.id) ?? false,
		took: said ? tookInstead(said, { hop, task, steps }) : null,
		read: said?.used === undefined ? null : clip(said.used, 200),
		carried: said?.carried === undefined ? null : clip(said.carried, 200),
		why: hopSentence(
			{ id: hop.id, diagnosis: diagnosis?.hops.find((one) => one.hop === hop.id) ?? null },
			{ diagnosis: diagnosis ?? null },
		),
		aimed: said?.aimed ?? [],
		brought: said?.brought ?? [],
		wanted: wanted.slice(0, mostWanted).map((id) => ({ id, came: came.has(id) })),
		more: Math.max(0, wanted.length - mostWanted),
		found: said?.evidence.length ?? 0,
		region: hop.region && image >= 0 ? { image, box: hop.region.box } : null,
		...{ notes: [], proof: [], excerpts: {} },
	};
}

/** What the diagnosis says of a hop that it judged. */
export function judgedHop(diagnosis: Diagnosis | undefined, id: string): Judged | undefined {
	const said = diagnosis?.hops.find((one) => one.hop === id);
	return said?.is === "judged" ? said : undefined;
}

/** The value that a hop's place was taken by: what the diagnosis saw, else what a step made for it states last. */
function tookInstead(
	{ verdict, used, carried, aimed }: Judged,
	{ hop, task, steps }: { hop: Hop; task: Task; steps: readonly Step[] },
): string | null {
	if (isSolved(verdict) || (carried === undefined && !isBroken(verdict))) return null;
	const stated = steps.flatMap(({ index, subAnswer }) =>
		subAnswer !== undefined && aimed.includes(index) && !isRightFor(hop, subAnswer, task) ? [subAnswer] : [],
	);
	const value = carried ?? used ?? stated.at(-1);
	return value === undefined ? null : clip(value, 200);
}

/** Its right value was seen, whatever was made of it afterwards. */
export const isSolved = (verdict: string) => verdict === "solved" || verdict === "skipped-known";

export const isRightFor = (hop: Hop, text: string, { tags }: Task): boolean =>
	typedAccuracy(text, hop.answer, { language: tags.language, question: hop.question }).value === 1;
