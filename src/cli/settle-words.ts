import { counted, type FindingKind } from "#domain";
import { primaryName } from "#reports";
import type { Settled, SettlePlan } from "#workbench";

const about = (count: number) => String(Math.round(count * 10) / 10);

/** A plan in sentences. */
export function planText({ failures, done, reruns, control, repeats, answers, calls, cost }: SettlePlan): string {
	const open = failures - done;
	const first = `${counted(failures, "failure")} ${failures === 1 ? "has" : "have"} hops whose reading nothing shows${done > 0 ? `, ${done} of them asked already` : ""}.`;
	if (open === 0) return first;
	return [
		first,
		`To settle ${open}: at most ${counted(reruns.most, "re-run")}, about ${about(reruns.expected)} expected (${about(reruns.expected / open)} a failure)${control > 0 ? `, and ${control} to ask again without any change` : ""}${repeats > 1 ? `; each ${repeats} times` : ""}.`,
		`At most ${counted(answers.most, "answer")}, about ${about(answers.expected)} expected.`,
		...(calls
			? [
					`${calls.most === null ? "About" : `At most ${counted(calls.most, "call")} of the model, about`} ${about(calls.expected)} expected by what the run's own answers took.`,
				]
			: []),
		...(cost ? [`About ${cost.expected.toFixed(cost.expected < 1 ? 4 : 2)} ${cost.currency}, by the same.`] : []),
	].join("\n");
}

/** The outcome in sentences. */
export function settledText({ run, failures, settled, byItself, open, named, perFailure }: Settled): string {
	const kinds = (Object.entries(named) as [FindingKind, number][])
		.sort(([, a], [, b]) => b - a)
		.map(([primary, count]) => `${primaryName(primary)} ${count}`);
	return [
		`Settled by re-running ${run}: the same agent with hops given as solved; no scores of the agent.`,
		"",
		`Of ${counted(failures, "failure")} with hops whose reading nothing shows`,
		`  ${settled} settled${kinds.length > 0 ? `: ${kinds.join(", ")}` : ""}`,
		`  ${byItself} right when only asked again: ${byItself === 1 ? "it recovers by itself" : "they recover by themselves"}, and nothing is settled`,
		`  ${open} open: a tie, or re-runs whose end is not known`,
		`${perFailure.toFixed(1)} prefixes of the chain asked a failure.`,
	].join("\n");
}
