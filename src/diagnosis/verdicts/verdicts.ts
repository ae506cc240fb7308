import { type Hop, type HopVerdict, isBroken } from "#domain";
import type { CameBack, Standing } from "../reading/came-back.ts";
import { foldedWords, holdsWords } from "../reading/folded-words.ts";
import { isMadeFor, type Seeking, saysValue } from "../reading/seeking.ts";
import { attemptsAt, isRefused, lateNeed } from "./attempts.ts";
import type { HopJudged, VerdictInput } from "./hop-judged.ts";
import { hopStates, type State } from "./hop-state.ts";
import { vouched } from "./vouching.ts";

const cannotTell = { is: "unknown", reason: "the texts of what came back are not at hand" } as const satisfies Standing;

/** One verdict for each hop, in the order of dependency, by the order of cause before effect (`brokenOrder`). */
export function judgeHops(input: VerdictInput): HopJudged[] {
	const states = hopStates(input);
	const judged = states.map((state) => verdictOf(state, states, input));
	return vouched(askedWrongly(restingOn(judged, states, input), input), states, input);
}

/**
 * A hop of which no search can be told may have been asked with the wrong value that a hop before it carried on: where a
 * search says that value, or aims at nothing, nobody can say that the hop was never tried.
 */
function askedWrongly(judged: readonly HopJudged[], { chain: { gold, seekings } }: VerdictInput): HopJudged[] {
	return judged.map((one): HopJudged => {
		if (one.is !== "judged" || one.verdict !== "not-planned") return one;
		const ancestors = gold.ancestors.get(one.reading.hop.id);
		for (const before of judged) {
			if (before.is !== "judged" || !isBroken(before.verdict) || before.used === undefined) continue;
			const { hop, own } = before.reading;
			if (!ancestors?.has(hop.id)) continue;
			const value = foldedWords(before.used);
			const from = own[0]?.place ?? before.seen?.place ?? 0;
			const search = seekings.find(
				(seeking) => seeking.place > from && (seeking.aimed.length === 0 || saysValue(seeking, value)),
			);
			if (!search) continue;
			const why = `step ${search.place + 1} may have asked it with “${before.used}”`;
			return { reading: one.reading, tried: one.tried, is: "judged", verdict: "unobserved", why };
		}
		return one;
	});
}

/** What rests on a hop that was asked with nobody knows what value has no verdict of its own, where it came to nothing. */
function restingOn(judged: readonly HopJudged[], states: readonly State[], { chain }: VerdictInput): HopJudged[] {
	const asked = judged.filter(
		(one, at) => one.is === "judged" && one.verdict === "unobserved" && states[at]?.came.length === 0,
	);
	return judged.map((one): HopJudged => {
		if (one.is !== "judged" || !isBroken(one.verdict)) return one;
		const ancestors = chain.gold.ancestors.get(one.reading.hop.id);
		const on = asked.find(({ reading }) => reading.retrieves && ancestors?.has(reading.hop.id));
		if (!on) return one;
		const reason = `it rests on hop ${on.reading.hop.id}, of which nothing shows what it was asked with`;
		return { reading: one.reading, tried: one.tried, is: "not-judged", reason };
	});
}

function verdictOf(state: State, states: readonly State[], input: VerdictInput): HopJudged {
	const { reading, seen, others, came, wrong, value } = state;
	const { chain, task, broken, unreadable, right, answer, subAnswers, texts } = input;
	const { hop, own, brought, modalities } = reading;
	const { gold } = chain;
	const tried = own.length > 0 ? own : attemptsAt(state, states, input);
	const base = { reading, tried };
	const isOther = ({ value: carried }: { value: string }) =>
		value?.place !== undefined && !holdsWords(foldedWords(value.text), foldedWords(carried));
	const carried = seen.wrong?.by === "query" && isOther(seen.wrong) ? { carried: seen.wrong.value } : {};
	const judged = (verdict: HopVerdict, more: object = {}): HopJudged => ({
		...base,
		is: "judged",
		verdict,
		...carried,
		...more,
	});
	/** A search that lacks the value that it needs misses; whether another stands in its place may not show. */
	const missed = (): HopJudged => {
		const hidden = states.find(
			(one) => one.seen.hidden && one.came.length > 0 && hop.needs.some((need) => need.hop === one.reading.hop.id),
		);
		if (!hidden) return judged("retrieval-miss");
		return judged("unobserved", {
			why: `nothing shows whether it was asked with another value of hop ${hidden.reading.hop.id}`,
		});
	};
	const notJudged = (reason: string): HopJudged => ({ ...base, is: "not-judged", reason });
	if (state.got) {
		const { is, by, place, used } = state.got;
		const more = { seen: { by, place }, used, ...(others.length > 0 ? { others } : {}) };
		return is === "known" ? judged("skipped-known", more) : judged("solved", { ...more, solvedAt: place ?? came[0] });
	}
	const shown = wrong ? { used: wrong.value, seen: { by: wrong.by, place: wrong.place } } : {};
	if (!reading.retrieves)
		return judged("unobserved", {
			why: "it only computes, and its right value is stated nowhere",
			...(value ? { used: value.text } : {}),
		});
	if (unreadable) return notJudged("too few of its actions could be read");
	const isStated = value?.place !== undefined;
	if (tried.length > 0 && (came.length === 0 || !wrong) && tried.every(({ failed }) => failed))
		return broken === undefined ? judged("tool-failed") : notJudged(`${broken} while it was worked on`);
	if (tried.length === 0 && came.length === 0 && !isStated) {
		if (broken !== undefined) return notJudged(`${broken} before it was reached`);
		return isRefused(hop, input) ? notJudged("its calls could not be carried out") : judged("not-planned");
	}
	if (broken !== undefined && !wrong && came.length > 0) return notJudged(`${broken} while it was worked on`);
	const found = own.some((seeking) => brought.includes(seeking)) || (brought.length === 0 && came.length > 0);
	const elsewhere = ({ modality }: Seeking) => modality !== undefined && !modalities.has(modality);
	if (tried.length > 0 && !found && came.length === 0 && tried.every(elsewhere)) return judged("wrong-modality");
	const late = tried.length === 0 ? undefined : lateNeed(state, tried, states, input);
	if (late) return judged("out-of-order", { late });
	if (own.length > 0 && !found) {
		// what another hop's search had brought by then was there to be read
		const before = wrong?.place ?? (wrong ? Infinity : -1);
		const readable = isStated || subAnswers ? came.some((at) => at <= before) : came.length > 0;
		if (!readable) return missed();
	}
	if (came.length === 0) return own.length > 0 || tried.length > 0 ? missed() : judged("not-planned");
	if (wrong) {
		const isAncestors = ancestorHolds(hop, wrong.value, input);
		const isNotOwn = isAncestors || (wrong.by === "answer" && subAnswers);
		if (tried.length === 0 && !isStated && isNotOwn) return judged("not-planned");
		return readWrongly({
			judged,
			wrong,
			shown,
			asked: holdsWords(gold.asked, foldedWords(wrong.value)) || isAncestors,
			texts,
		});
	}
	if (subAnswers) return own.length === 0 ? judged("not-planned") : judged("misread", { unread: true });
	if (own.length === 0) {
		if (seen.jumped) return judged("not-planned");
		return judged("unobserved", { why: "no search of its own, and its evidence came back by the way" });
	}
	const asked = gold.needing(hop).some((next) => chain.seekings.some((seeking) => isMadeFor(seeking, next)));
	const why =
		answer === undefined && !asked
			? "its evidence came back, and nothing followed"
			: right === undefined && task.chain?.sink === hop.id
				? "no answer is given by design"
				: seen.hidden
					? "later queries hold a word that may be another value in its place, but nothing marks it as one"
					: "nothing that the agent wrote afterwards carries its value, nor another in its place";
	return judged("unobserved", { why });
}

/** The wrong value stands in what came back before it was used, or it does not. */
function readWrongly({
	judged,
	wrong,
	shown,
	asked,
	texts,
}: {
	judged(verdict: HopVerdict, more?: object): HopJudged;
	wrong: NonNullable<State["wrong"]>;
	shown: object;
	asked: boolean;
	texts: CameBack | undefined;
}): HopJudged {
	if (wrong.words && wrong.by !== "answer") {
		// a query and a thought stand before the results of their own step
		const until = wrong.place === undefined ? undefined : wrong.place - 1;
		const cited = texts?.holding(wrong.words, { until }).map(({ id }) => id) ?? [];
		if (cited.length > 0) return judged("misread", { ...shown, cited });
		if (!texts) return judged("misread", { ...shown, unclear: cannotTell.reason });
		const stands = texts.standing(wrong.value, { until });
		if (stands.is === "unknown") return judged("misread", { ...shown, unclear: stands.reason });
		return judged(stands.is === "stands" && !asked ? "misread" : "unsupported", shown);
	}
	// what the value was searched for afterwards cannot have told it
	const stands = texts ? texts.standing(wrong.value, { until: wrong.place }) : cannotTell;
	if (stands.is === "nowhere" && !(asked && wrong.by === "answer")) return judged("unsupported", shown);
	return judged("misread", { ...shown, ...(stands.is === "unknown" ? { unclear: stands.reason } : {}) });
}

function ancestorHolds(hop: Hop, value: string, { chain: { gold } }: VerdictInput): boolean {
	const folded = foldedWords(value);
	return [...(gold.ancestors.get(hop.id) ?? [])].some((id) => {
		const ancestor = gold.byId.get(id);
		return ancestor !== undefined && gold.acceptedOf(ancestor).includes(folded);
	});
}
