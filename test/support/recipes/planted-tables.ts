import { markdownTable } from "#recipes";
import { faults } from "./planted-faults.ts";
import type { Cast } from "./planted-players.ts";
import { type Kept, lanes, type Measured } from "./planted-recipes.ts";

export type Run = Measured & { good: Kept };

const percent = (count: number, of: number): string => (of === 0 ? "–" : String(Math.round((1000 * count) / of) / 10));

/** A lane's runs in the order of its casts, as one cell. */
const cellOf = (lane: string, runs: readonly Run[], said: (run: Run) => string): string => {
	const cells = runs.filter((run) => run.lane === lane).map(said);
	return cells.every((cell) => cell === "–") ? "–" : cells.join(" / ");
};

/** The share of planted faults that came through, by recipe and kind, for these casts. */
export function plantedTable(all: readonly Run[], casts: readonly Cast[]): string {
	const runs = all.filter(({ cast }) => casts.includes(cast));
	const names = [...new Set(runs.map(({ lane }) => lane))];
	const rows = faults.map(({ name }) => [
		name,
		...names.map((lane) =>
			cellOf(lane, runs, ({ faults: counted }) => {
				const { accepted, planted } = counted.get(name) ?? { accepted: 0, planted: 0 };
				return percent(accepted, planted);
			}),
		),
	]);
	const planted = names.map((lane) =>
		String(
			[...(runs.find((run) => run.lane === lane)?.faults.values() ?? [])].reduce((sum, one) => sum + one.planted, 0),
		),
	);
	const good = names.map((lane) => cellOf(lane, runs, ({ good: { dropped, good: of } }) => percent(dropped, of)));
	return markdownTable(
		["% accepted", ...names],
		[...rows, ["**planted items**", ...planted], ["**good items, % dropped**", ...good]],
	);
}

/** What good items were lost to. */
export function goodTable(all: readonly Kept[]): string {
	const rows = all.flatMap(({ lane, cast, good, dropped, reasons }) =>
		dropped === 0 ? [] : [[lane, cast, String(good), String(dropped), reasons.join("; ")]],
	);
	const tried = [...new Map(all.map(({ lane, good }) => [lane, good]))].map(([lane, good]) => `${lane} ${good}`);
	const told = `Good items tried: ${tried.join("; ")}.`;
	if (rows.length === 0) return `${told} None was dropped.`;
	return `${told}\n\n${markdownTable(["good items of", "roles", "tried", "dropped", "by"], rows)}`;
}

/** What the table's words mean. */
export function plantedLegend(): string {
	const kinds = faults.map(({ name, plants }) => `- ${name}: ${plants}.`);
	const closed = lanes.map(({ name, closed: why }) => {
		const parts = Object.entries(why).map(([changes, because]) => `${wordFor[changes] ?? changes} (${because})`);
		return `- ${name}: ${parts.join("; ")}.`;
	});
	return `The kinds:\n\n${kinds.join("\n")}\n\nWhat cannot be planted (–):\n\n${closed.join("\n")}`;
}

const wordFor: Record<string, string> = {
	sub: "faults of sub-questions",
	answer: "faults of answers",
	step: "wrong steps",
	again: "the same item again",
	arithmetic: "arithmetic",
};
