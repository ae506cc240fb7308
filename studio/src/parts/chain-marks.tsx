import { memo } from "react";
import type { Mark } from "../../../src/studio/pages.ts";
import { markOf } from "../data/legend.ts";
import styles from "./chain-marks.module.css";
import { type Shape, shapeOf } from "./mark-shape.ts";

/** A hop as a row of a list has it. */
export interface HopMark {
	verdict: string;
	first: boolean;
}

interface Props {
	hops: readonly HopMark[];
	/** By verdict: `verdicts` of the legend. */
	marks: Readonly<Record<string, Mark>>;
	/** Of longer chains only so many are drawn, and how many more there are: a row has a fixed width. */
	most?: number;
}

const size = 20;
const pitch = 26;

/**
 * The chain of one answer as a row of marks: one drawn node of a few paths, however long the chain, since lists show
 * thousands. Marks of one tone share a path and a text.
 */
export const ChainMarks = memo(function ChainMarks({ hops, marks, most = 12 }: Props) {
	const shown = hops.slice(0, hops.length > most ? most - 1 : most);
	const more = hops.length - shown.length;
	const drawn = shown.map(({ verdict, first }, place) => {
		const { mark, tone, plainly: name } = markOf(marks, verdict);
		const behind = shown.slice(0, place).some((hop) => hop.first);
		return { mark, name, first, shape: shapeOf(tone, first), behind, x: 2 + pitch * place };
	});
	if (hops.length === 0) return null;
	const width = 4 + pitch * (shown.length - 1) + size + (more > 0 ? pitch + 4 : 0);
	const groups = new Map<string, typeof drawn>();
	for (const one of drawn) {
		const key = one.behind && one.shape !== "first" ? `${one.shape} behind` : one.shape;
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	return (
		<svg className={styles.chain} width={width} height={size + 4} role="img" aria-label={spoken(drawn, more)}>
			<path
				className={styles.links}
				d={drawn
					.slice(1)
					.map(({ x }) => `M${x - 6} 12h6`)
					.join("")}
			/>
			{[...groups].map(([key, own]) => {
				const [shape = "dim", behind] = key.split(" ") as [Shape, string?];
				const outline = own.map(({ x }) => outlines[shape](x)).join("");
				return (
					<g key={key} className={styles[shape]} data-behind={behind}>
						<path d={outline} />
						<text y="12" x={own.flatMap(({ x, mark }) => Array(mark.length).fill(x + size / 2)).join(" ")}>
							{own.map(({ mark }) => mark).join("")}
						</text>
					</g>
				);
			})}
			{more > 0 && (
				<text className={styles.more} x={width - 2} y="12">
					+{more}
				</text>
			)}
		</svg>
	);
});

const circle = (x: number) => `M${x} 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0`;
const square = (x: number) => `M${x + 3} 2h14a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-14a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z`;
const outlines: Record<Shape, (x: number) => string> = { ok: circle, dim: circle, bad: square, first: square };

const spoken = (drawn: readonly { name: string; first: boolean }[], more: number) =>
	[
		...drawn.map(({ name, first }, place) => `hop ${place + 1} ${name}${first ? ", chain breaks here" : ""}`),
		...(more > 0 ? [`and ${more} more`] : []),
	].join("; ");
