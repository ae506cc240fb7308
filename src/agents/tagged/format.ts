import type { FormatFault } from "#domain";
import { type ActionName, actionTags, boxedIn, type Tag, type TagSet } from "./tag-set.ts";

type Name = "think" | "information" | "evidence" | ActionName;

/**
 * Where a reply that holds an action is not as its tag set writes it: every thought and the one action in their tags, the
 * tags in pairs, none within another and none of the environment's, nothing but white space between them. Empty where it is
 * so. Where a set reasons in plain text, words may stand outside. `first`: nothing was said before; `thought`: the provider
 * returned the thought apart, out of its tags.
 *
 * Source: MMhops-R1, its format reward ("all generated thoughts and actions are correctly formatted with their respective
 * tags"); tags within a thought count as Search-R1's published check of a sequence has them.
 */
export function formatFaults(
	reply: string,
	tags: TagSet,
	{ first = false, thought = false }: { first?: boolean; thought?: boolean } = {},
): FormatFault[] {
	const faults = new Set<FormatFault>();
	const runs = tags.thinking === "searching";
	/** The tags that are open now; the thought that runs through all replies is none of them. */
	let inside: Name | undefined;
	let running = runs;
	let thoughts = thought ? 1 : 0;
	let from = 0;
	const pass = (to: number) => {
		const isProse = inside === undefined && wordsOf(reply.slice(from, to), tags) !== "";
		if (isProse && tags.thinking !== "plain" && !running) faults.add("outside-tags");
	};
	for (const { name, closes, at, text } of tagsIn(reply, tags)) {
		// what a forged observation says is no fault of its own
		if (name !== "information" || !closes) pass(at);
		if (name === "information") faults.add("forged-observation");
		else if (inside !== undefined) {
			if (!closes || name !== inside) faults.add("stray-tag");
			else {
				if (name === "think") thoughts += 1;
				if (name === "answer" && tags.boxed && boxedIn(reply.slice(from, at)) === undefined) faults.add("no-box");
				inside = undefined;
			}
		} else if (runs && name === "think") {
			const opens = !closes && first && reply.slice(0, at).trim() === "";
			if (closes && running) running = false;
			else if (!opens) faults.add("stray-tag");
		} else if (closes) faults.add("stray-tag");
		else {
			// in one long thought searches stand within it, and the answer behind its end
			if (runs && running === (name === "answer")) faults.add("stray-tag");
			inside = name;
		}
		from = at + text.length;
	}
	pass(reply.length);
	if (inside !== undefined) faults.add("stray-tag");
	if (tags.thinking === "tags" && thoughts === 0) faults.add("no-thought");
	return [...faults];
}

function tagsIn(reply: string, tags: TagSet) {
	const pairs: [Name, Tag][] = [
		["think", tags.think],
		["information", tags.information],
		...(tags.evidence ? [["evidence", tags.evidence] as [Name, Tag]] : []),
		...actionTags(tags),
	];
	return pairs
		.flatMap(([name, { open, close }]) => [
			...placesOf(reply, open).map((at) => ({ name, closes: false, at, text: open })),
			...placesOf(reply, close).map((at) => ({ name, closes: true, at, text: close })),
		])
		.sort((a, b) => a.at - b.at);
}

function placesOf(reply: string, tag: string): number[] {
	const places: number[] = [];
	for (let at = reply.indexOf(tag); at !== -1; at = reply.indexOf(tag, at + tag.length)) places.push(at);
	return places;
}

/** What stands between tags, less the sentence that the set itself has there. */
const wordsOf = (text: string, { givesUp }: TagSet): string =>
	(givesUp === undefined ? text : text.replace(new RegExp(`${givesUp}[.!]?`, "i"), "")).trim();
