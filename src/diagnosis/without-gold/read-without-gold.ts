import { type BroughtUp, type GoldFreeReading, type PseudoHop, type Shows, shownAs, type Trajectory } from "#domain";
import type { FindEvidence } from "../reading/came-back.ts";
import { mostSteps } from "../reading/chain-reading.ts";
import { givenValue } from "../reading/value.ts";
import { createBrings } from "./brings.ts";
import { type Entities, entitiesIn, possibleWords } from "./entities.ts";
import { answerFlags, hopFlags } from "./flags.ts";
import { cameBack, heldWords, textOf } from "./held-words.ts";
import { type OwnWords, ownWordsOf, promptOf } from "./own-words.ts";
import { searchGroups } from "./pseudo-hops.ts";
import { createRelevance } from "./relevance.ts";
import { createUse } from "./use.ts";
import { contentWords } from "./words.ts";

/** Changes whenever a reading could: lines by different rules are never counted together. */
export const goldFreeVersion = "1";

export interface GoldFreeContext {
	question: string;
	/** BCP 47, `und` where unknown. */
	language: string;
	/** Looks the texts of results up; without it, what only they can tell is unobserved. */
	evidence?: FindEvidence | undefined;
	/** Whether pictures come with the question: what stands in them nobody here can read. */
	pictures?: boolean | undefined;
}

/** More characters of a query are not kept in a reading. */
const longestQuery = 500;
const mostQueries = 20;
const mostMissing = 20;

/**
 * Reads a trajectory without a gold chain: by pseudo-hop, how relevant what came back is, whether anything later uses it,
 * where each name, number or date that a query or the answer brings up stood first; repeated and aimless searches, errors,
 * and how many of its actions could be read. From the record and the texts of its results alone, by words; no model is
 * asked, and time is bounded by their length (at most 1,000 steps, 2,000 results, 8 million characters).
 *
 * A name that stands in no earlier result and not in the question is "unsupported by results": it may still be right.
 */
export async function readWithoutGold(
	trajectory: Trajectory,
	{ question, language, evidence: find, pictures = false }: GoldFreeContext,
): Promise<GoldFreeReading> {
	const steps = trajectory.steps.slice(0, mostSteps);
	const groups = searchGroups(steps);
	const { results, cut } = await cameBack(steps, find);
	const own = ownWordsOf(trajectory, steps);
	const given = `${question}\n${promptOf(trajectory)}`;

	const wanted = new Set(own.flatMap(({ text }) => possibleWords(text)));
	for (const { text, what } of own) if (what !== "thought") for (const one of contentWords(text)) wanted.add(one);
	const texts = results.map(({ evidence }) => evidence && textOf(evidence));
	const held = heldWords(texts, wanted);
	const said = heldWords([given, ...own.map(({ text }) => text)], wanted);
	const writtenAs = (word: string) => {
		const [there, here] = [held.writtenAs(word), said.writtenAs(word)];
		return { small: there.small + here.small, capital: there.capital + here.capital };
	};
	const read = new Map<OwnWords, Entities>();
	const entitiesOf = (words: OwnWords): Entities => {
		const known = read.get(words) ?? entitiesIn(words.text, { language, writtenAs, short: words.short });
		read.set(words, known);
		return known;
	};
	const initials = [...given.slice(0, 5000).matchAll(/(?<![\p{L}\p{M}])\p{Lu}(?=\p{Ll})/gu)].join("");
	const parts = { steps, own, results, held, said, entitiesOf, pictures, language, initials };
	const bring = createBrings(parts);
	const relevanceOf = createRelevance(parts);
	const useOf = createUse(parts, { question: given, answer: givenAnswer(trajectory) });
	const aims = relevanceOf.aims(groups);

	const hops = groups.map((group): GoldFreeReading["hops"][number] => {
		const [first] = group.searches;
		const queries = [...new Set(group.searches.map(({ query }) => query))].filter((query) => query !== "");
		const subQuestion = group.searches.find(({ step }) => step.subQuestion)?.step.subQuestion;
		const hop = {
			steps: group.searches.map(({ step }) => step.index),
			queries: queries.slice(0, mostQueries).map((query) => query.slice(0, longestQuery)),
			...(subQuestion === undefined ? {} : { subQuestion: subQuestion.slice(0, longestQuery) }),
			results: new Set(group.searches.flatMap(({ step }) => step.results.map(shownAs))).size,
			relevance: relevanceOf(group, { mostMissing }),
			use: useOf(group),
			brings: bring(
				own.filter(({ what, place }) => what === "query" && group.searches.some((one) => one.place === place)),
			),
			repeated: group.repeated.map(({ step }) => step.index),
			errors: group.searches.filter(({ step }) => hasFailed(step)).map(({ step }) => step.index),
		};
		return { ...hop, flags: hopFlags(hop, { isAimless: first !== undefined && aims.isAimless(group) }) };
	});
	const answers = own.filter(({ what }) => what === "answer");
	const brings = answers.length === 0 ? null : withComputed(bring(answers));
	return {
		...{ reader: goldFreeVersion, shows: showsOf(trajectory), hops },
		answer: brings && { ...brings, flags: answerFlags(brings) },
		format: formatOf(trajectory),
		otherErrors: steps
			.filter(
				(step, place) => hasFailed(step) && !groups.some(({ searches }) => searches.some((one) => one.place === place)),
			)
			.map(({ index }) => index),
		cut: cut || held.cut || said.cut || trajectory.steps.length > mostSteps,
	};
}

const givenAnswer = ({ abstained, searchOnly, answer }: Trajectory) =>
	abstained || searchOnly ? undefined : givenValue(answer);

/** A number of the answer that came back nowhere may have been worked out of others. */
function withComputed({ entities, ...rest }: PseudoHop["brings"]): PseudoHop["brings"] {
	return {
		...rest,
		entities: entities.map((one): BroughtUp => {
			if (one.is !== "number" || one.first.is !== "unsupported") return one;
			return { ...one, first: { is: "unobserved", reason: "a number of the answer may be worked out from others" } };
		}),
	};
}

const hasFailed = ({ call, error }: Trajectory["steps"][number]): boolean =>
	error !== undefined || call?.valid === false;

/** Calls and the answer; a turn without a call that ended in an error is an action that could not be read. */
function formatOf({ steps, answer, abstained }: Trajectory): GoldFreeReading["format"] {
	const acts = steps.filter(({ call, error }) => call !== undefined || error !== undefined);
	const ended = answer !== null || abstained ? 1 : 0;
	const readable = acts.filter(({ call }) => call?.valid === true).length;
	return { actions: acts.length + ended, readable: readable + ended };
}

function showsOf({ steps }: Trajectory): Shows {
	if (steps.some(({ subAnswer }) => subAnswer !== undefined)) return "stated";
	return steps.some(({ thought }) => thought !== undefined && thought.trim() !== "") ? "thought" : "bare";
}
