import type { Evidence, Hop } from "#domain";
import { type CameBack, wordsIn } from "./came-back.ts";
import { holdsWords } from "./folded-words.ts";
import type { GoldReading } from "./gold-reading.ts";
import { stemsOf } from "./query-words.ts";

/** So much of what the hop asks has to stand there too. */
const leastAsked = 0.5;
const most = 4;

/**
 * What came back outside the gold set and states a hop's value of the hop's entity: another valid path. Read are passages
 * that name the value and what the hop needs; where it needs nothing, or its value was not `used` rightly afterwards, they
 * must say most of what it asks too.
 */
export function otherEvidenceOf(
	hop: Hop,
	{ gold, texts, used }: { gold: GoldReading; texts: CameBack; used: boolean },
): Evidence[] {
	const forms = gold.acceptedOf(hop).filter((form) => form.replaceAll(" ", "").length >= 3);
	if (forms.length === 0 || hop.answer.type === "boolean") return [];
	const acceptable = new Set(hop.evidence);
	const needed = hop.needs.flatMap((need) => gold.byId.get(need.hop) ?? []);
	return texts
		.all()
		.filter((one) => {
			if (acceptable.has(one.id) || one.kind === "image") return false;
			const words = wordsIn(one);
			if (!forms.some((form) => holdsWords(words, form))) return false;
			const names = needed.every((need) => gold.acceptedOf(need).some((form) => holdsWords(words, form)));
			return names && ((used && needed.length > 0) || gold.likeness(stemsOf(words), hop) >= leastAsked);
		})
		.slice(0, most);
}
