/** How a run did a task, in words and as a mark: the outcome's own where it is right or wrong. */
import type { ComparedRow, Legend, Mark } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";

const ahead: Pick<Mark, "mark" | "tone"> = { mark: "▲", tone: "ok" };
const behind: Pick<Mark, "mark" | "tone"> = { mark: "▽", tone: "bad" };

/** What stands beside a chain: the outcome, or how the run compares where no answer is right or wrong. */
export function standingMark(
	row: ComparedRow,
	place: number,
	legend: Legend | undefined,
): Pick<Mark, "mark" | "name" | "tone"> {
	const side = row.sides[place];
	const standing = row.standings[place] ?? "missing";
	if (!side) return markOf(legend?.outcomes, "missing");
	const outcome = markOf(legend?.outcomes, side.outcome);
	if (standing === "ahead") return { ...ahead, name: `ahead (${outcome.name})` };
	if (standing === "behind") return { ...behind, name: `behind (${outcome.name})` };
	return outcome;
}

/** "only B right", "both wrong": how a task went, in as few words as a row has room for. */
export function flipWords({ standings, differs }: Pick<ComparedRow, "standings" | "differs">): string {
	const named = (...words: string[]) =>
		standings.flatMap((standing, place) => (words.includes(standing) ? [String.fromCharCode(65 + place)] : []));
	const [good, lost] = [named("right", "ahead"), named("unscored", "missing")];
	if (differs)
		return `${good.length === 1 ? "only " : ""}${good.join(" and ")} ${standings.includes("ahead") ? "ahead" : "right"}`;
	if (lost.length > 0) return `${lost.join(" and ")} not scored`;
	const all = standings.length === 2 ? "both" : "all";
	return good.length === standings.length
		? `${all} right`
		: standings.every((one) => one === "wrong")
			? `${all} wrong`
			: "even";
}
