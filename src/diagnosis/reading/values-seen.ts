import { type Hop, type SeenBy, shownAs, type Trajectory } from "#domain";
import type { CameBack } from "./came-back.ts";
import { type ChainReading, mostSteps } from "./chain-reading.ts";
import { claimsIn } from "./claims.ts";
import { foldedWords, holdsWords } from "./folded-words.ts";
import { nameCueOf, unexplained, writtenWords } from "./name-cue.ts";
import { isSlip, splitWords } from "./query-words.ts";
import { isMadeFor, isTelling, least, type Seeking, whole } from "./seeking.ts";

/** That a hop's right value was seen in what the agent wrote. */
export interface SeenRight {
	by: SeenBy;
	/** Of the step that shows it; the number of steps for the final answer. */
	place: number;
}

/** That another value was seen in its place. */
export interface SeenWrong {
	by: SeenBy;
	place: number;
	/** As it was written, as far as it is told from the words around it. */
	value: string;
	/** Its folded words. */
	words: string[];
}

export interface ValueSeen {
	right?: SeenRight | undefined;
	wrong?: SeenWrong | undefined;
	/** Hops that need it were asked without its value. */
	jumped: boolean;
	/** So asked, with words that may stand in its place: capitals, which would tell, mark nothing in these queries. */
	hidden?: boolean;
}

interface SeenInput {
	trajectory: Trajectory;
	chain: ChainReading;
	/** Whether the final answer is right, where that is known. */
	right: boolean | undefined;
	answer: string | undefined;
	texts: CameBack | undefined;
}

/**
 * What later queries, thoughts and the final answer show of the value of each hop, for agents that state none. Queries of a
 * hop that needs the value go before queries that aim at nothing, these before thoughts, and the final answer comes last.
 * A missing sign shows nothing: it is never taken for a wrong value.
 */
export function valuesSeen(input: SeenInput): Map<Hop, ValueSeen> {
	const { trajectory, chain, right, answer, texts } = input;
	const { gold, seekings } = chain;
	const thoughts = trajectory.steps.slice(0, mostSteps).flatMap(({ thought }, place) => {
		return thought === undefined || thought.trim() === ""
			? []
			: [{ place, thought, folded: foldedWords(thought.slice(0, longest)) }];
	});
	const thoughtCue = nameCueOf(
		thoughts.map(({ thought }) => thought),
		gold,
	);
	/** Words that a thought writes with a capital letter behind another word. */
	const namesThought = new Set(
		thoughts.flatMap(({ thought }) =>
			(thought.slice(0, longest).match(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}'’-]*/gu) ?? []).flatMap((name) =>
				splitWords(foldedWords(name)),
			),
		),
	);
	const asking = seekings.filter(({ image, said }) => image === undefined && said.length > 0);
	const cue = nameCueOf(asking.map(queryOf), gold);

	/** Part of a name is the name only where no other one stands beside it. */
	function carries(seeking: Seeking, hop: Hop): boolean {
		const found = seeking.said.map((text) => gold.carries(text, hop));
		if (found.includes("whole")) return true;
		return found.includes("partly") && strange(seeking, gold.hops).length === 0;
	}
	const finalWords = answer === undefined ? "" : foldedWords(answer);
	const ownOf = new Map(chain.hops.map((reading) => [reading.hop, reading]));

	/** Names in a query that neither the chain nor the question explains, where a hop's value or one of its needs may stand. */
	function strange(seeking: Seeking, allowed: readonly Hop[], { small = false } = {}): string[] {
		const names = allowed.flatMap((hop) => [...gold.namesOf(hop)]);
		const isMine = (word: string) => names.some((name) => name === word || isSlip(name, word));
		const short = seeking.aimed.some(({ similarity }) => similarity >= whole);
		const isName = (word: string, options?: { within?: boolean }) =>
			namesThought.has(word) || (texts?.isName(word, options) ?? false);
		const own = small ? { ...cue, allSmall: true } : cue;
		return unexplained(queryOf(seeking), gold, { cue: own, isMine, isName, short });
	}

	function seenOf(hop: Hop): ValueSeen {
		const own = ownOf.get(hop)?.own ?? [];
		const needing = gold.needing(hop);
		const askedFor = (one: Hop) =>
			asking.filter((seeking) => seeking.aimed.some(({ hop: id, similarity }) => id === one.id && similarity >= least));
		const isNext = (seeking: Seeking) => needing.some((one) => isMadeFor(seeking, one));
		const first = Math.min(...[...own, ...(ownOf.get(hop)?.brought ?? [])].map(({ place }) => place));
		const jumped = needing.some((one) =>
			askedFor(one).some((seeking) => !carries(seeking, hop) && !isMadeFor(seeking, hop)),
		);

		let query: (SeenRight & { next: boolean }) | undefined;
		let aside: SeenRight | undefined;
		for (const seeking of asking) {
			if (own.includes(seeking) || !carries(seeking, hop)) continue;
			if (seeking.aimed.length === 0 || isNext(seeking)) {
				query = { by: "query", place: seeking.place, next: isNext(seeking) };
				break;
			}
			aside ??= { by: "query", place: seeking.place };
		}
		let seen: SeenRight | undefined = query ?? (jumped ? undefined : aside);
		const told = thoughts.find(({ folded }) => gold.names(folded, hop));
		if (told && (!seen || told.place < seen.place)) seen = { by: "thought", place: told.place };

		let wrong: SeenWrong | undefined;
		for (const next of [...needing, ...needing.flatMap((one) => askedAtOnce(one))]) {
			const searches = askedFor(next);
			if (searches.some((seeking) => carries(seeking, hop))) continue;
			const needed = next.needs.flatMap((need) => gold.byId.get(need.hop) ?? []);
			for (const seeking of searches) {
				if (wrong || (seeking.place <= first && own.length > 0)) continue;
				const words = strange(seeking, [next, ...needed], { small: isSmall(hop) });
				if (words.length > 0) wrong = seenInQuery(seeking, words);
			}
		}
		// a query that should carry the value says more than what is said in passing
		if (wrong && !(seen?.by === "query" && query?.next)) seen = undefined;

		const askedOn = told && needing.some((one) => askedFor(one).some(({ place }) => place <= told.place));
		if (!wrong && hop.evidence.length > 0 && !(seen?.by === "thought" && !askedOn)) {
			const said = wrongThought(hop);
			if (said) {
				wrong = said;
				if (seen && seen.place > said.place) seen = undefined;
			}
		}
		if (!seen && !wrong && answer !== undefined && !gold.chosen.has(hop.id) && (right === true || !jumped))
			if (gold.names(finalWords, hop)) seen = { by: "answer", place: trajectory.steps.length };
		const hidden = !seen && !wrong && needing.some((one) => isHidden(one, hop));
		return { right: seen, wrong, jumped, hidden };
	}

	/** Hops that need one which has no search of its own, and whose searches ask for both. */
	function askedAtOnce(one: Hop): Hop[] {
		if ((ownOf.get(one)?.own.length ?? 0) > 0) return [];
		return gold
			.needing(one)
			.filter((next) =>
				asking.some(
					(seeking) => isMadeFor(seeking, next) && seeking.stems.some((stems) => gold.likeness(stems, one) >= half),
				),
			);
	}

	/** Whether every query of a hop lacks a value that it needs, and one holds a word that nothing explains but a name. */
	function isHidden(next: Hop, hop: Hop): boolean {
		const asks = ({ aimed, stems }: Seeking) =>
			aimed.length === 0 && stems.some((some) => gold.likeness(some, next) > 0);
		const own = asking.filter((seeking) => isMadeFor(seeking, next) || asks(seeking));
		if (own.some((seeking) => carries(seeking, hop))) return false;
		// what other queries say too is a habit of the agent's
		const habits = new Set(
			asking.filter((seeking) => !own.includes(seeking)).flatMap(({ said }) => said.flatMap(splitWords)),
		);
		const names = [...gold.namesOf(next)];
		return own.some(({ said }) =>
			said.flatMap(splitWords).some((word) => {
				if (word.length < leastName || habits.has(word) || names.includes(word)) return false;
				return !gold.isEmpty(word) && !gold.isAsked(word) && !gold.isRelation(word);
			}),
		);
	}

	/** Whether a search was made for a hop, or aims at nothing and brought what only this hop needs. */
	function isWorkedOn(seeking: Seeking, hop: Hop): boolean {
		if (isMadeFor(seeking, hop)) return true;
		const brought = chain.hops.filter((one) => one.brought.includes(seeking));
		return seeking.aimed.length === 0 && brought.length === 1 && brought[0]?.hop === hop;
	}

	/** A thought behind a hop's own search that says exactly one value of the hop's type, and it is another one. */
	function wrongThought(hop: Hop): SeenWrong | undefined {
		for (const { place, thought, folded } of thoughts) {
			const before = seekings.findLast(
				(seeking) => seeking.place < place || (seeking.place === place && !seeking.step.call),
			);
			if (!before || !isWorkedOn(before, hop)) continue;
			if (gold.acceptedOf(hop).some((form) => holdsWords(folded, form))) return undefined;
			const claims = claimsIn(asserted(thought), hop.answer.type, { gold, cue: thoughtCue, except: before.said });
			const says = (claim: string, one: Hop) => {
				const words = foldedWords(claim);
				return gold.acceptedOf(one).some((form) => holdsWords(words, form) || holdsWords(form, words));
			};
			// what other hops are about is named in asking on
			const others = claims.filter((claim) => !gold.hops.some((one) => says(claim, one)));
			// the final answer is the sink's value, and a name is often said again in part
			const telling = others
				.map((claim) => foldedWords(claim))
				.filter(
					(one, at, all) =>
						(hop === gold.sink || one !== finalWords) &&
						!all.some((name, i) => i !== at && name !== one && holdsWords(name, one)),
				);
			const said = others.filter((one) => telling.includes(foldedWords(one)));
			// of several the one that stands in what came back
			const standing = said.filter(
				(one) => (texts?.holding(splitWords(foldedWords(one)), { until: before.place }).length ?? 0) > 0,
			);
			const [claim, ...more] = said.length > 1 && standing.length === 1 ? standing : said;
			if (claim !== undefined && more.length === 0)
				return { by: "thought", place, value: claim, words: splitWords(foldedWords(claim)) };
		}
		return undefined;
	}

	const seen = new Map(gold.hops.map((hop) => [hop, seenOf(hop)]));
	// where the right answer can be had by luck, it does not speak for the values on the way
	if (right === false || (right === true && !gold.sinkTells(answer))) strangeAside();
	return seen;

	/**
	 * Queries that aim at nothing and hold a strange name: it stands for the value of the hop that was worked on last and
	 * whose value was seen nowhere, or of the one in whose evidence it stands.
	 */
	function strangeAside(): void {
		for (const seeking of asking) {
			// what carries a right value is asked about that one
			if (isTelling(seeking) || gold.hops.some((hop) => seeking.said.some((text) => gold.names(text, hop)))) continue;
			const words = strange(seeking, gold.hops);
			const known = [...seen.values()].some(({ wrong }) => wrong?.words.some((word) => words.includes(word)));
			if (words.length === 0 || known) continue;
			const until = seeking.place - 1;
			const open = gold.retrieving.filter((hop) => {
				const { brought = [], own = [] } = ownOf.get(hop) ?? {};
				const state = seen.get(hop);
				const worked = brought.some(({ place }) => place <= until);
				return worked && own.length > 0 && gold.needing(hop).length > 0 && !state?.right && !state?.wrong;
			});
			const lastOf = (hop: Hop) =>
				Math.max(-1, ...(ownOf.get(hop)?.own ?? []).map(({ place }) => place).filter((place) => place <= until));
			const [hop] = open.sort((a, b) => lastOf(b) - lastOf(a));
			const state = hop && seen.get(hop);
			if (!hop || !state || !texts) continue;
			// small letters are a weak mark: the query must ask something that the next hop does
			const asks = gold.needing(hop).some((next) => seeking.stems.some((stems) => gold.likeness(stems, next) > 0));
			if (cue.allSmall && !asks) continue;
			// what stands in another hop's results may be about that one
			const came = new Set(texts.holding(words, { until }).map(({ id }) => id));
			const brought = ownOf.get(hop)?.own.flatMap(({ step }) => step.results.map(shownAs)) ?? [];
			if (came.size > 0 && !brought.some((id) => came.has(id))) continue;
			state.wrong = seenInQuery(seeking, words);
		}
	}
}

/** A thought without what it says in brackets, and without what it takes back, where anything follows that. */
function asserted(thought: string): string {
	const text = thought.slice(0, longest).replace(/\([^()]*\)/g, " ");
	const back = [...text.matchAll(/(?:wait, no|no, wait|pero no|but no|but reading again|nein, doch)\P{L}/giu)].at(-1);
	const rest = back ? text.slice(back.index + back[0].length) : "";
	return /\p{L}|\p{N}/u.test(rest) ? rest : text;
}

/** So much of what a hop asks stands in a query that asks for two at once. */
const half = 0.4;
const leastName = 4;
/** Longer queries and thoughts are cut. */
const longest = 4000;

/** Whether a hop's value is written small, as names of elements and animals are. */
const isSmall = ({ answer }: Hop): boolean => answer.type === "string" && /^\p{Ll}/u.test(answer.value);

/** Words of a query as the value that it carries: as they are written there, in their order. */
function seenInQuery(seeking: Seeking, words: string[]): SeenWrong {
	const written = writtenWords(queryOf(seeking)).filter(({ folded }) => folded.some((word) => words.includes(word)));
	const value = [...new Set(written.map(({ raw }) => raw.replace(/[.’'-]+$/u, "")))].join(" ");
	return { by: "query", place: seeking.place, value, words };
}

function queryOf({ step }: Seeking): string {
	const query = step.call?.arguments.query;
	return (typeof query === "string" ? query : (step.subQuestion ?? "")).slice(0, longest);
}
