import type { Finding, Task, Trajectory } from "#domain";
import { retrievalSteps } from "#domain";
import { actionsIn, isIllFormed } from "#scoring";
import type { Standing } from "../reading/came-back.ts";
import { repeatedSearches } from "../reading/searches.ts";
import { capital, mostIds, quoted, stepsInWords } from "./hop-words.ts";

/** What a trajectory shows by itself, without a gold chain. */
export function recordFindings(trajectory: Trajectory, { right }: { right: boolean | undefined }): Finding[] {
	const { steps, stop, error } = trajectory;
	const found: Finding[] = [];
	const repeated = repeatedSearches(trajectory);
	if (repeated.length > 0) {
		const again = repeated.flatMap((group) => group.again.map(({ index }) => index)).sort((a, b) => a - b);
		const firsts = repeated.map(({ first }) => first.index);
		const says = `${capital(stepsInWords(again))} searched what ${stepsInWords(firsts)} had searched already.`;
		found.push({ is: "repeated-query", steps: again, evidence: [], says });
		const endless = endlessRepetition(trajectory, again);
		if (endless) found.push(endless);
	}
	const handed = steps.some(({ call, results }) => !call && results.length > 0);
	if (retrievalSteps(trajectory).length === 0 && !handed && stop !== "error" && stop !== "budget")
		found.push(
			right === true
				? { is: "known", steps: [], evidence: [], says: "It searched nothing, and its answer is right all the same." }
				: { is: "unsearched", steps: [], evidence: [], says: "It searched nothing." },
		);
	if (
		right === false &&
		(trajectory.answer === null || trajectory.abstained) &&
		stop !== "error" &&
		stop !== "budget"
	) {
		const last = steps.at(-1);
		const says = stop === "answered" ? "It declined to answer." : "A limit ended it before it had answered.";
		found.push({ is: "ended-without-answer", steps: last ? [last.index] : [], evidence: [], says });
	}
	const invalid = steps.filter(({ call }) => call?.valid === false);
	if (invalid.length > 0) {
		const indexes = invalid.map(({ index }) => index);
		const [first] = invalid;
		const why = first?.error === undefined ? "" : ` (${quoted(first.error)})`;
		const many = invalid.length > 1;
		const says = `The call${many ? "s" : ""} of ${stepsInWords(indexes)} could not be carried out${why}.`;
		found.push({ is: "invalid-call", steps: indexes, evidence: [], says });
	}
	if (stop === "error" || stop === "budget") {
		const last = steps.at(-1);
		const why = stop === "budget" ? "The run's budget was used up" : `A ${error?.boundary ?? "run"} error ended it`;
		const what = error ? ` (${quoted(error.message)})` : "";
		const says = `${why}${what}: what is missing says nothing of the agent.`;
		found.push({ is: "broken-off", steps: last ? [last.index] : [], evidence: [], says });
	}
	return found;
}

/** So many searches at the end, all made before, are a loop. */
const leastLoop = 3;

/** Ended by a limit while it searched what it had searched before. */
function endlessRepetition(trajectory: Trajectory, again: readonly number[]): Finding | undefined {
	if (trajectory.stop !== "turn-limit" && trajectory.stop !== "no-call-limit") return undefined;
	const searches = retrievalSteps(trajectory).map(({ index }) => index);
	const repeated = new Set(again);
	const loop = searches.slice(searches.findLastIndex((index) => !repeated.has(index)) + 1);
	if (loop.length < leastLoop) return undefined;
	const says = `${capital(stepsInWords(loop))}, up to the limit that ended it, searched what it had searched before.`;
	return { is: "endless-repetition", steps: loop, evidence: [], says };
}

/**
 * Too few of the actions could be read: nothing is said of planning then, since the plan may stand in what could not be read.
 * The finding quotes one reply beside what was wrong with it.
 */
export function formatFailure(trajectory: Trajectory): Finding | undefined {
	const { actions, read, unread } = actionsIn(trajectory);
	if (!isIllFormed({ actions, read })) return undefined;
	const [first] = unread;
	const written = first?.call?.arguments.written ?? first?.thought ?? JSON.stringify(first?.call ?? {});
	const wanted = first?.error === undefined ? "no action could be read from it" : quoted(first.error);
	const says = `${unread.length} of ${actions} actions could not be read, such as ${quoted(String(written))}: ${wanted}.`;
	return { is: "format-failure", steps: unread.map(({ index }) => index), evidence: [], says };
}

/** Whether the chain computes its answer, so that it need not stand anywhere. */
export function isComputed({ chain, answer }: Task): boolean {
	const sink = chain?.hops.find(({ id }) => id === chain.sink);
	return answer.type === "boolean" || (sink !== undefined && sink.evidence.length === 0);
}

/** The final answer that stands in nothing that came back. */
export function unsupportedAnswer(
	{ steps }: Trajectory,
	{ answer, standing }: { answer: string; standing: Standing },
): Finding[] {
	const came = steps.filter(({ results }) => results.length > 0);
	if (standing.is !== "nowhere" || came.length === 0) return [];
	const evidence = [...new Set(came.flatMap(({ results }) => results.map(({ id }) => id)))].slice(0, mostIds);
	const says = `The final answer ${quoted(answer)} stands in nothing that came back.`;
	return [{ is: "unsupported-answer", steps: came.map(({ index }) => index), evidence, says }];
}
