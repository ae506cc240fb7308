import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, useId, useRef } from "react";
import { plural } from "../../parts/format.ts";
import styles from "./break-bar.module.css";
import type { Segment } from "./segments.ts";
import { useWidth } from "./use-width.ts";

/** Of the pieces; the whisker stands below them, where it hides no mark. */
const height = 22;
/** A narrower piece has no room for its mark. */
const roomForMark = 14;

/** One bar: a piece for each verdict, each a link, and the interval of the whole as a whisker. */
export function BreakBar({
	run,
	segments,
	interval,
	most,
}: {
	run: string;
	segments: readonly Segment[];
	/** In chains. */
	interval: readonly [number, number] | null;
	/** What the longest bar stands for. */
	most: number;
}) {
	const navigate = useNavigate();
	const pattern = useId();
	const box = useRef<HTMLDivElement>(null);
	const room = useWidth(box);
	const scale = Math.max(0, room - 4) / most;
	let at = 0;
	const placed = segments.map((segment) => {
		const from = at;
		at += segment.count;
		return { ...segment, x: from * scale, width: Math.max(segment.count * scale, 1) };
	});
	const open = (event: MouseEvent, where: string) => {
		if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
		event.preventDefault();
		void navigate({ to: "/runs/$run/tasks", params: { run }, search: { where } });
	};
	return (
		// the line's title is the link that is read out and reached by keys: it says all that stands here
		<div ref={box} className={styles.box}>
			<svg className={styles.bar} width={room} height={height + 10} aria-hidden="true">
				<defs>
					<pattern id={pattern} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
						<path className={styles.hatch} d="M0 0V6" />
					</pattern>
				</defs>
				{placed.map(({ key, mark, name, count, where, shade, x, width: wide }) => {
					return (
						<a
							key={key}
							href={`#/runs/${encodeURIComponent(run)}/tasks?where=${encodeURIComponent(where)}`}
							tabIndex={-1}
							className={styles.piece}
							data-shade={shade}
							onClick={(event) => open(event, where)}
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
		</div>
	);
}

const whisker = (low: number, high: number) =>
	`M${low} ${height + 4}H${high}M${low} ${height + 1}v6M${high} ${height + 1}v6`;
