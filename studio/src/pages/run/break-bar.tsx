import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, useId } from "react";
import { plural } from "../../parts/format.ts";
import styles from "./break-bar.module.css";
import type { Segment } from "./segments.ts";

/** Of the pieces; the whisker stands below them, where it hides no mark. */
const height = 22;
/** A narrower piece has no room for its mark. */
const roomForMark = 14;

/** One bar: a piece for each verdict, each a link, and the interval of the whole as a whisker. */
export function BreakBar({
	run,
	where,
	segments,
	interval,
	most,
	width,
}: {
	run: string;
	where: string;
	segments: readonly Segment[];
	/** In chains. */
	interval: readonly [number, number] | null;
	/** What the longest bar stands for. */
	most: number;
	/** Of the line that the bar stands in. */
	width: number;
}) {
	const navigate = useNavigate();
	const pattern = useId();
	// what the style sheet leaves for it beside title, count and share
	const room = Math.max(0, width - (width < 700 ? 86 + 64 + 16 : 96 + 72 + 196 + 36));
	const scale = (room - 4) / most;
	let at = 0;
	const placed = segments.map((segment) => {
		const from = at;
		at += segment.count;
		return { ...segment, x: from * scale, width: Math.max(segment.count * scale, 1) };
	});
	const open = (event: MouseEvent, filter: string) => {
		if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
		event.preventDefault();
		void navigate({ to: "/runs/$run/tasks", params: { run }, search: { where: filter } });
	};
	return (
		// the line's title is the link that is read out and reached by keys: it says all that stands here
		<svg className={styles.bar} width={room} height={height + 10} aria-hidden="true">
			<defs>
				<pattern id={pattern} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
					<path className={styles.hatch} d="M0 0V6" />
				</pattern>
			</defs>
			{placed.map(({ key, mark, name, count, shade, x, width: wide }) => {
				const filter = typeof shade === "number" ? `${where} primary:${key}` : where;
				return (
					<a
						key={key}
						href={`#/runs/${encodeURIComponent(run)}/tasks?where=${encodeURIComponent(filter)}`}
						tabIndex={-1}
						className={styles.piece}
						data-shade={shade}
						onClick={(event) => open(event, filter)}
					>
						<title>{`${name}: ${plural(count, "chain")}`}</title>
						<rect x={x} y={1} width={wide} height={height - 2} />
						{shade === "dim" && (
							<rect
								x={x}
								y={1}
								width={wide}
								height={height - 2}
								style={{ fill: `url(#${pattern})` }}
								className={styles.over}
							/>
						)}
						{wide >= roomForMark && (
							<text x={x + wide / 2} y={height / 2}>
								{mark}
							</text>
						)}
					</a>
				);
			})}
			{interval && <path className={styles.whisker} d={whisker(interval[0] * scale, interval[1] * scale)} />}
		</svg>
	);
}

const whisker = (low: number, high: number) =>
	`M${low} ${height + 4}H${high}M${low} ${height + 1}v6M${high} ${height + 1}v6`;
