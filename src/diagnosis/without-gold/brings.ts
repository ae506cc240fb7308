import type { BroughtUp, PseudoHop, Step } from "#domain";
import type { Entities, Entity } from "./entities.ts";
import type { CameBack, HeldWords } from "./held-words.ts";
import type { OwnWords } from "./own-words.ts";

/** What a reading has at hand. `said`: text 0 is the question, text n+1 the n-th of `own`. */
export interface Parts {
	steps: readonly Step[];
	own: readonly OwnWords[];
	results: readonly CameBack[];
	held: HeldWords;
	said: HeldWords;
	entitiesOf(words: OwnWords): Entities;
	pictures: boolean;
	language: string;
	/** Capital letters that the words of the question begin with, in their order. */
	initials: string;
}

/** More names of one pseudo-hop are not kept. */
const mostKept = 50;

/** Says of some of the agent's words what they bring up that the question has not, each the first time only. */
export function createBrings(parts: Parts): (words: readonly OwnWords[]) => PseudoHop["brings"] {
	const { own, said, entitiesOf, initials } = parts;
	const places = new Map(own.map((words, at) => [words, at]));
	const asked = own.flatMap((words, at) => (words.what === "query" ? [at] : []));
	return (some) => {
		const found = new Map<string, BroughtUp>();
		let unread: string | undefined;
		for (const words of some) {
			const at = places.get(words) ?? 0;
			const entities = entitiesOf(words);
			unread ??= entities.unread;
			for (const entity of entities.found) {
				const key = entity.words.join(" ");
				if (found.size >= mostKept || found.has(key) || isKnown(entity, at)) continue;
				found.set(key, {
					text: entity.text.slice(0, 200),
					is: entity.is,
					first: firstStood(entity, { words, at, parts }),
				});
			}
		}
		return { entities: [...found.values()], ...(unread === undefined ? {} : { unread }) };
	};

	/** Asked, or in a query before. */
	function isKnown({ words, text }: Entity, at: number): boolean {
		if (words.every((one) => said.textsWith(one)[0] === 0)) return true;
		if (words.length === 1 && /^\p{Lu}{3,}$/u.test(text) && initials.includes(text)) return true;
		return asked.some((query) => query < at && words.every((one) => said.textsWith(one).includes(query + 1)));
	}
}

/** More parts of a name do not stand in as many results by chance. */
const mostParts = 3;

function firstStood(
	{ words }: Entity,
	{ words: { place, what }, at, parts }: { words: OwnWords; at: number; parts: Parts },
): BroughtUp["first"] {
	const { results, held, said, own, steps, pictures, language } = parts;
	// words that the question holds need not come back
	const telling = words.filter((one) => said.textsWith(one)[0] !== 0);
	const until = what === "sub-answer" ? place + 1 : place;
	const early = (one: string) => held.textsWith(one).filter((text) => (results[text]?.place ?? place) < until);
	const lists = telling.map(early);
	const [shortest = [], ...others] = [...lists].sort((a, b) => a.length - b.length);
	const whole = shortest.find((text) => others.every((list) => list.includes(text)));
	const indexOf = (text: number) => steps[results[text]?.place ?? 0]?.index ?? 0;
	const id = results[whole ?? -1]?.id;
	if (whole !== undefined && id !== undefined) return { is: "result", step: indexOf(whole), id };
	if (lists.length <= mostParts && lists.every((list) => list.length > 0))
		return { is: "result", step: indexOf(Math.max(...lists.map((list) => list[0] ?? 0))) };
	const came = results.filter((one) => one.place < until);
	const without = came.filter(({ evidence }) => evidence === undefined).length;
	if (without > 0)
		return { is: "unobserved", reason: `the text of ${without} of ${came.length} results is not at hand` };
	const last = came.at(-1)?.place;
	if (last === undefined && pictures)
		return { is: "unobserved", reason: "it may stand in a picture that came with the question" };
	// what is carried on mostly stems from the search before: what came earlier would hide most of all else
	const lately = came.flatMap((one) => (one.place === last && one.evidence ? [one.evidence] : []));
	if (lately.some(({ kind }) => kind === "image"))
		return { is: "unobserved", reason: "it may stand in a picture that came back" };
	if (lately.length > 0 && lately.every((one) => isOtherLanguage(one.language, language)))
		return { is: "unobserved", reason: "what came back is in another language, which may write it otherwise" };
	const written = own.findIndex(
		(_, text) => text < at && telling.every((one) => said.textsWith(one).includes(text + 1)),
	);
	const step = own[written]?.index;
	return { is: "unsupported", ...(step === undefined ? {} : { step }) };
}

const primary = (language: string) => language.toLowerCase().split("-")[0];

function isOtherLanguage(of: string, asked: string): boolean {
	return primary(of) !== primary(asked) && primary(of) !== "und" && primary(asked) !== "und";
}
