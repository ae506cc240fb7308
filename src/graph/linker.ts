import { type Entity, stopWords } from "#domain";
import { plainWords } from "./names.ts";

/** An entity that a text names. */
export interface Link {
	entity: Entity;
	/** The words of the text that name it, as they are compared. */
	words: string;
	/** 1 for a whole name or alias, less where several entities bear it, or for a part of one ("Einstein"). */
	weight: number;
}

/** Names of more words are not looked for. */
const longestName = 16;
/** A word that more names share tells nothing. */
const mostSharing = 20;
/** The end of a longer text is not looked at. */
const mostWords = 100_000;

/**
 * Finds the entities that a text names: at each place the longest name or alias, accents, case and punctuation aside.
 * A word that is part of few names and of none found whole names those, with less weight. Time grows with the text, not
 * with the graph.
 */
export function createLinker(entities: Iterable<Entity>): (text: string) => Link[] {
	const whole = new Map<string, Entity[]>();
	const parts = new Map<string, Set<Entity>>();
	for (const entity of entities) {
		if (entity.kind === "value" && entity.name.length < 2) continue;
		for (const words of new Set([entity.name, ...entity.aliases].flatMap(forms))) {
			const namesakes = whole.get(words);
			if (!namesakes) whole.set(words, [entity]);
			else if (!namesakes.includes(entity)) namesakes.push(entity);
			if (entity.kind === "value") continue;
			for (const word of words.split(" ")) {
				if (word.length < 4 || isStopWord(word)) continue;
				const sharing = parts.get(word);
				if (!sharing) parts.set(word, new Set([entity]));
				else if (sharing.size <= mostSharing) sharing.add(entity);
			}
		}
	}
	return (text) => {
		const words = tokens(text).slice(0, mostWords);
		const found = new Map<Entity, Link>();
		const add = (link: Link) => {
			if ((found.get(link.entity)?.weight ?? 0) < link.weight) found.set(link.entity, link);
		};
		for (let at = 0; at < words.length; ) {
			const length = longestAt(words, at, whole);
			const name = words.slice(at, at + Math.max(length, 1)).join(" ");
			if (length > 0)
				for (const entity of whole.get(name) ?? [])
					add({ entity, words: name, weight: 1 / Math.sqrt(whole.get(name)?.length ?? 1) });
			else {
				const sharing = parts.get(name);
				if (sharing && sharing.size <= mostSharing)
					for (const entity of sharing) add({ entity, words: name, weight: 0.5 / sharing.size });
			}
			at += Math.max(length, 1);
		}
		return [...found.values()].sort(
			(a, b) => b.weight - a.weight || b.words.length - a.words.length || (a.entity.id < b.entity.id ? -1 : 1),
		);
	};
}

/** How many words from here on are the longest name; 0 for none. */
function longestAt(words: string[], at: number, whole: Map<string, Entity[]>): number {
	for (let length = Math.min(longestName, words.length - at); length > 0; length -= 1) {
		const name = words.slice(at, at + length);
		if (length === 1 && isStopWord(name[0] ?? "")) continue;
		if (whole.has(name.join(" "))) return length;
	}
	return 0;
}

/** How a name is looked for: as it is written, and without its article. */
function forms(name: string): string[] {
	const words = tokens(name).join(" ");
	return words === "" ? [] : [...new Set([words, words.replace(/^the (?=\S)/, "")])];
}

const unspacedRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Words; of scripts without spaces every character, so that a name is found within a run of them. */
const tokens = (text: string): string[] =>
	plainWords(text)
		.split(" ")
		.flatMap((word) => (unspacedRun.test(word) ? [...word] : [word]))
		.filter((word) => word !== "");

export const isStopWord = (word: string): boolean =>
	stopWords.en?.has(word) === true || stopWords.es?.has(word) === true;
