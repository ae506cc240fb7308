/** Words of the record, and how its steps are named. */
import { clip, type Evidence, type Step } from "#domain";

/** What a call asked for, in words: its query, else its arguments as they were given. */
export function queryOf({ call }: Step): string {
	if (!call) return "";
	const { query, k: _, ...rest } = call.arguments;
	if (typeof query === "string") return clip(query, 600);
	// what could not be read as a call, as it was written
	if (typeof rest.written === "string") return clip(rest.written, 600);
	if (typeof rest.image === "number") return `What does image ${rest.image + 1} show?`;
	return Object.keys(rest).length === 0 ? "" : clip(JSON.stringify(rest), 600);
}

/** The text of evidence, of an image its caption. */
export function textOf(evidence: Evidence | undefined): string {
	if (!evidence) return "";
	return evidence.kind === "image" ? evidence.caption : evidence.text;
}

/** "step 3", "steps 3–5 and 9", from indexes. */
export function stepsSaid(indexes: readonly number[]): string {
	const runs: [number, number][] = [];
	for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
		const last = runs.at(-1);
		if (last && last[1] === index - 1) last[1] = index;
		else runs.push([index, index]);
	}
	const said = runs.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1}–${to + 1}`));
	return `${new Set(indexes).size === 1 ? "step" : "steps"} ${listed(said)}`;
}

export const listed = (items: readonly (string | number)[], last: "and" | "or" = "and"): string =>
	items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${last} ${items.at(-1)}`;
