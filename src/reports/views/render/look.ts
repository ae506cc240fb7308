/** The same colour and shape for the same run label in every plot and table of a page. */
import { shortLabels } from "../../short-labels.ts";

/**
 * Two sets of eight colours, for light and for dark ground, each at least 3:1 against its ground and apart from one
 * another for the common kinds of colour blindness; shapes say the same without colour.
 */
export const palette: readonly { light: string; dark: string }[] = [
	{ light: "#0b66b0", dark: "#62aef0" },
	{ light: "#c4510a", dark: "#ff9d5c" },
	{ light: "#0a7f5b", dark: "#3fcb9d" },
	{ light: "#a3348b", dark: "#ec8fd6" },
	{ light: "#826400", dark: "#dcbc3f" },
	{ light: "#5b49b8", dark: "#ac9fff" },
	{ light: "#4a5361", dark: "#b4bdca" },
	{ light: "#b21f3c", dark: "#ff8c9c" },
];

export const symbols = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "circle"] as const;

export interface Look {
	/** A colour that follows light and dark. */
	colour: string;
	symbol: (typeof symbols)[number];
	/** The label in little room: the legend has it whole. */
	name: string;
}

/** Characters of a label that a column of names has room for. */
const nameRoom = 40;

/** Looks by run label, given in the order in which labels first appear. */
export function looksOf(runs: readonly { label: string }[]): (label: string) => Look {
	const labels = [...new Set(runs.map((run) => run.label))];
	const names = shortLabels(labels, nameRoom);
	return (label) => {
		const place = Math.max(0, labels.indexOf(label));
		return {
			colour: `var(--run-${place % palette.length})`,
			symbol: symbols[place % symbols.length] ?? "circle",
			name: names[place] ?? label,
		};
	};
}
