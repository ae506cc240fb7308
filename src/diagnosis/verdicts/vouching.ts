import { misreadOperand } from "../reading/operands.ts";
import type { HopJudged, VerdictInput } from "./hop-judged.ts";
import type { State } from "./hop-state.ts";

const isImplied = (judged: HopJudged): boolean =>
	judged.is === "judged" && (judged.verdict === "solved" || judged.verdict === "skipped-known");

/**
 * What a right value vouches for. A hop that was solved, or a right final answer, says that the hops it needs were read
 * rightly; a yes or no, a choice and what stands in the question say nothing of them.
 */
export function vouched(judged: HopJudged[], states: readonly State[], input: VerdictInput): HopJudged[] {
	const { chain, right, task } = input;
	const { gold } = chain;
	const result = [...judged];
	const placeOf = new Map(chain.hops.map(({ hop }, at) => [hop.id, at]));
	const told = new Set<string>();
	const sink = task.chain?.sink;
	const sinkTells = gold.sinkTells(input.answer);
	if (right === true && sinkTells && sink !== undefined)
		for (const id of [sink, ...(gold.ancestors.get(sink) ?? [])]) told.add(id);
	for (let at = result.length - 1; at >= 0; at--) {
		const one = result[at];
		const state = states[at];
		if (!one || !state || one.is !== "judged") continue;
		const { hop } = one.reading;
		const stated = state.value?.place !== undefined && !state.value.right;
		if (told.has(hop.id) && !stated && !isImplied(one)) {
			const open = one.verdict === "unobserved" || (one.verdict === "misread" && one.unread);
			const implied = {
				seen: { by: "implied" as const },
				...(state.others.length > 0 ? { others: state.others } : {}),
			};
			const { reading, tried } = one;
			const passed = open || one.verdict === "not-planned" || right === true;
			if (state.came.length > 0 && passed)
				result[at] = { reading, tried, is: "judged", verdict: "solved", solvedAt: state.came[0], ...implied };
			else if (!reading.retrieves) result[at] = { reading, tried, is: "judged", verdict: "solved", ...implied };
			else if (right === true) result[at] = { reading, tried, is: "judged", verdict: "skipped-known", ...implied };
		} else if (right === true && !stated && isGuess(one, state)) {
			const { reading, tried } = one;
			const why = "the final answer is right, and could be by luck";
			result[at] = { reading, tried, is: "judged", verdict: "unobserved", why };
		}
		const now = result[at];
		const speaks = hop.id === sink ? sinkTells : gold.formsOf(hop).length > 0;
		if (now && isImplied(now) && speaks) for (const need of hop.needs) told.add(need.hop);
	}
	const operand =
		right === false
			? misreadOperand(
					input,
					result.map((one) => one.is === "judged" && one.verdict === "unobserved"),
				)
			: undefined;
	const at = operand && placeOf.get(operand.hop.id);
	const found = at === undefined ? undefined : result[at];
	if (operand && at !== undefined && found)
		result[at] = {
			...{ reading: found.reading, tried: found.tried, is: "judged", verdict: "misread", used: operand.value },
			...{ seen: { by: "answer" }, cited: operand.cited },
		};
	return result;
}

/** What a weaker sign than a later query shows to be wrong, or what may have been looked for in other words. */
function isGuess(judged: HopJudged, { wrong, came }: State): boolean {
	if (judged.is !== "judged") return false;
	if (judged.verdict === "misread" || judged.verdict === "unsupported") return wrong?.by !== "query";
	return judged.verdict === "not-planned" && came.length > 0;
}
