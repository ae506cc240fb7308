import type { TextReading } from "#benchmarks";
import { type Answer, type Hop, plainLine } from "#domain";
import { nameKey } from "#graph";
import type { Edge, Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import { stringAnswer } from "../template/answers.ts";
import { agrees, type HopLook } from "./hop-look.ts";

const mostEdges = 500;
const mostTold = 5;

/**
 * What an encyclopedia states today for the hop's relation, of the only thing that bears one of the names. Undefined where
 * the hop names no relation, no name is one thing's alone, or nothing is stated: then it says nothing.
 */
export async function byEncyclopedia(
	hop: Hop,
	options: {
		encyclopedia: Encyclopedia;
		/** Names of what the hop asks about, the surest first. */
		subjects: readonly string[];
		language: string;
		reading: TextReading;
		/** Statements that ended before this day (`YYYY-MM-DD`) are not of today. */
		day: string;
		signal?: AbortSignal | undefined;
	},
): Promise<HopLook | undefined> {
	const { encyclopedia, subjects, language, day, signal } = options;
	const relation = hop.relation === undefined ? "" : nameKey(hop.relation);
	if (relation === "") return undefined;
	const asking = { language, signal };
	for (const name of subjects) {
		const [subject, ...others] = await encyclopedia.resolve(name, asking);
		if (!subject || others.length > 0) continue;
		const edges = await encyclopedia.neighbours(subject.id, { limit: mostEdges, signal });
		const stated = edges.filter(({ property, label }) => nameKey(property) === relation || nameKey(label) === relation);
		const current = currentOf(stated, day);
		if (current.length === 0) continue;
		const says = `${subject.name}, ${hop.relation}: ${told(current)}`;
		const about = { hop: hop.id, by: "encyclopedia" as const, says };
		for (const edge of current) if (await isAnswer(edge, hop.answer)) return { ...about, is: "holds" };
		const [only, ...more] = current;
		return { ...about, is: "changed", ...(only && more.length === 0 ? { now: answerOf(only) } : {}) };
	}
	return undefined;

	async function isAnswer({ object }: Edge, answer: Answer): Promise<boolean> {
		const forms = "value" in object ? [object.value, ...object.answer.accepted] : [object.name];
		if (forms.some((form) => agrees(form, answer, options))) return true;
		if ("value" in object) return false;
		const keys = new Set(answer.accepted.map(nameKey));
		const aliases = (await encyclopedia.resolve(object.name, asking)).find(({ id }) => id === object.id)?.aliases ?? [];
		return [object.name, ...aliases].some((alias) => keys.has(nameKey(alias)));
	}
}

/** Statements of today: those that go out rather than in, have not ended, and of the highest rank. */
function currentOf(edges: readonly Edge[], day: string): Edge[] {
	const out = edges.filter(({ direction }) => direction === "out");
	const lasting = (out.length > 0 ? out : edges).filter(({ during }) => during?.to === undefined || during.to >= day);
	const preferred = lasting.filter(({ rank }) => rank === "preferred");
	return preferred.length > 0 ? preferred : lasting;
}

const answerOf = ({ object }: Edge): Answer => ("value" in object ? object.answer : stringAnswer(object.name));

const told = (edges: readonly Edge[]): string => {
	const values = edges.map(({ object }) => plainLine("value" in object ? object.value : object.name, 80));
	return [...values.slice(0, mostTold), ...(values.length > mostTold ? [`${values.length - mostTold} more`] : [])].join(
		"; ",
	);
};
