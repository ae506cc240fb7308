/** The tables of tasks that flipped. */

import { clip, present } from "#domain";
import { coverageText, notRankedText } from "../diagnosis/diagnosis-words.ts";
import { showNumber } from "../number-format.ts";
import { numberColumn, type TableColumn, tableOf, textColumn } from "../views/table.ts";
import type { View } from "../views/view.ts";
import { metricName } from "../wording.ts";
import type { ComparedPair } from "./compare-runs.ts";
import type { Flip, FlippedVerdict, FlipSide, Flips } from "./flips.ts";

interface FlipContext {
	letterOf(id: string): string;
	nameOf(pair: { a: string; b: string }): string;
	/** Flipped tasks that are listed, of each direction. */
	flips: number;
	/** The comparison is of several pairs, whose tables need names of their own. */
	several: boolean;
}

/** The flipped tasks of a pair, and what goes with the flips; nothing where none flipped. */
export function flipViews(pair: ComparedPair, context: FlipContext): View[] {
	const { flips } = pair;
	if (flips.won.length + flips.lost.length === 0) return [];
	return [flipsView(pair, context), ...(flips.verdicts.length > 0 ? [verdictsView(pair, context)] : [])];
}

function flipsView({ a, b, flips }: ComparedPair, { letterOf, nameOf, flips: most, several }: FlipContext): View {
	const [first, second] = [letterOf(a), letterOf(b)];
	const rows = [...flips.won.slice(0, most).map(by(first)), ...flips.lost.slice(0, most).map(by(second))];
	const hidden = Math.max(0, flips.won.length - most) + Math.max(0, flips.lost.length - most);
	const chainless = [...flips.won, ...flips.lost].filter(({ a: side }) => side.reason !== undefined).length;
	const about = flips.metric === "accuracy" ? "answered right" : `ahead by ${metricName(flips.metric)}`;
	return {
		name: several ? `flips-${first}-${second}` : "flips",
		title: `Tasks that flipped, ${nameOf({ a, b })}`,
		describe: `${flips.won.length} tasks only ${first} ${about}, ${flips.lost.length} only ${second}. Beside each the answer, and what the diagnosis names first: the verdict of the first broken hop, or what else was found.`,
		source: "records.jsonl and the rules of hopscope diagnose",
		...tableOf(rows, [
			textColumn("by", "Right in", ({ right }) => right),
			textColumn("task", "Task", ({ task }) => task),
			textColumn("a", first, ({ a: side }) => sideText(side, flips)),
			textColumn("b", second, ({ b: side }) => sideText(side, flips)),
		]),
		plots: [],
		notes: [
			...readingNote({ a, b, flips }, { letterOf }),
			...(hidden > 0 ? [`${hidden} more flipped tasks: --flips N, or --json.`] : []),
			...(chainless > 0 ? [`${chainless} of these tasks have no gold chain: no hop can be named.`] : []),
		],
	};
}

const by = (right: string) => (flip: Flip) => ({ ...flip, right });

/** How much of what was read the records of both runs show. */
function readingNote(
	{ a, b, flips: { reading } }: Pick<ComparedPair, "a" | "b" | "flips">,
	{ letterOf }: Pick<FlipContext, "letterOf">,
): string[] {
	if (reading.a.of + reading.b.of === 0) return [];
	return [`In these records, ${letterOf(a)}: ${coverageText(reading.a)}; ${letterOf(b)}: ${coverageText(reading.b)}.`];
}

/** `h2 retrieval-miss: "Lyon"`: hops by their ids. */
function sideText({ answer, value, primary, firstBroken, unobserved }: FlipSide, { metric }: Flips): string {
	const said = answer === null ? "no answer" : `"${clip(answer, 40)}"`;
	const how = metric === "accuracy" ? [] : [`${metricName(metric)} ${showNumber(value, "percent", 0)}`];
	const broken = firstBroken ? [`${clip(firstBroken.hop, 20)} ${firstBroken.verdict}`] : [];
	const named = primary !== null && primary !== firstBroken?.verdict ? [primary] : [];
	const open = unobserved.map((hop) => clip(hop, 20)).join("/");
	const before = open === "" ? [] : [firstBroken ? `or before at ${open}` : `may be ${open}`];
	const found = [...how, ...broken, ...named, ...before].join(", ");
	return found === "" ? said : `${found}: ${said}`;
}

function verdictsView({ a, b, flips }: ComparedPair, { letterOf, nameOf, several }: FlipContext): View {
	const [first, second] = [letterOf(a), letterOf(b)];
	const sides = (part: "won" | "lost", right: string, wrong: string): TableColumn<FlippedVerdict>[] => {
		const group = { group: `${flips[part].length} right in ${right} only` };
		return [
			numberColumn(`${part}-wrong`, `only in ${wrong}`, (row) => row[part].wrong, group),
			numberColumn(`${part}-right`, `only in ${right}`, (row) => row[part].right, group),
			numberColumn(`${part}-both`, "in both", (row) => row[part].both, group),
		];
	};
	return {
		name: several ? `flip-verdicts-${first}-${second}` : "flip-verdicts",
		title: `What goes with the flips, ${nameOf({ a, b })}`,
		describe:
			"Of the flipped tasks, those in which a verdict or finding stands on one side alone, or on both. What stands only beside the wrong answer went away where the answer came right; that the two go together does not say that one caused the other.",
		source: "the rules of hopscope diagnose",
		...tableOf(flips.verdicts, [
			textColumn("finding", "Verdict or finding", ({ is }) => is),
			...sides("won", first, second),
			...sides("lost", second, first),
		]),
		plots: [],
		notes: present([
			"A task counts once for each verdict, however many of its hops have it.",
			...(flips.reading.ranked
				? []
				: [
						notRankedText([
							{ name: first, seen: flips.reading.a },
							{ name: second, seen: flips.reading.b },
						]),
					]),
		]),
	};
}
