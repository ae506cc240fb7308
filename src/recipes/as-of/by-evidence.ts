import { statesAnswer, type TextReading } from "#benchmarks";
import { type Answer, type Evidence, type Hop, plainLine } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { readDates } from "#scoring";
import { isoDate } from "../answers/time-forms.ts";
import type { Stamps } from "../refresh/evidence-stamps.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import { textOf } from "../variants/states-hop.ts";
import type { HopLook } from "./hop-look.ts";

export interface EvidenceSources {
	knowledge: Pick<KnowledgeBase, "evidence" | "manifest">;
	/** Contents that the evidence had when the answers were found right. */
	stamps?: Stamps | undefined;
	reading: TextReading;
}

/** What the hop's own evidence says today; `sure` where the evidence is what it was or is gone, so that nobody need be asked. */
export async function byEvidence(
	hop: Hop,
	{ knowledge, stamps, reading }: EvidenceSources,
): Promise<HopLook & { sure: boolean; found: Evidence[] }> {
	const found = await heldEvidence(knowledge, hop.evidence);
	const look = (is: HopLook["is"], says: string, sure = false) => ({
		hop: hop.id,
		by: "evidence" as const,
		is,
		says,
		sure,
		found,
	});
	if (hop.evidence.length === 0) return look("open", "it names no evidence");
	if (found.length === 0) return look("gone", `${ids(hop.evidence)} not there any more`, true);
	const other = stamps ? found.filter(({ id, sha256 }) => stamps.get(id) !== sha256) : found;
	if (other.length === 0) return look("holds", `${ids(found.map(({ id }) => id))} as it was`, true);
	if (!isWritten(hop.answer)) return look("open", `${hop.answer.type} answers stand in no text`);
	const silent = other.filter((one) => !states(one, hop.answer, reading));
	const value = plainLine(hop.answer.value, 80);
	if (silent.length === 0) return look("holds", `"${value}" stands in ${ids(other.map(({ id }) => id))}`);
	const told = `"${value}" does not stand in ${ids(silent.map(({ id }) => id))}`;
	if (silent.length < found.length)
		// one that states it suffices; with stamps the silent one is known to have changed, and contradicts it
		return stamps
			? look("open", `${told} any more, but other evidence gives it`)
			: look("holds", "it stands in other evidence");
	return stamps ? look("changed", `${told}, which changed`) : look("open", `${told}; whether it ever did is not known`);
}

/** Yes and no, free text and that there is no answer stand nowhere in words. */
const isWritten = ({ type }: Answer) => type !== "boolean" && type !== "text" && type !== "none";

/** Characters of a text that are read for dates. */
const mostRead = 20_000;

/** Whether the words of an evidence state the answer: word for word, a number by its value, a date in any writing. */
function states(evidence: Evidence, answer: Answer, reading: TextReading): boolean {
	const text = textOf(evidence);
	if (statesAnswer(text, answer, reading, evidence.language)) return true;
	if (answer.type !== "time") return false;
	const { iso } = answer.time;
	return readDates(text.slice(0, mostRead)).some((date) => {
		const said = isoDate(date);
		return said === iso || said.startsWith(`${iso}-`);
	});
}

const ids = (all: readonly string[]) => (all.length > 2 ? `${all[0]} and ${all.length - 1} others` : all.join(", "));
