import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { Media } from "../../../../src/studio/evidence-card.ts";
import styles from "./boxed-picture.module.css";

export type Corners = readonly [number, number, number, number];

/** Where something stands in a picture, in shares of its width and height. */
interface Place {
	corners: Corners;
	label: string;
	is: "gold" | "own";
}

/**
 * A picture on which a reviewer points at things: a drag draws a box, and so do the arrows once Enter has begun one.
 * `boxes` and what is drawn are in pixels of the picture, `places` in shares of it.
 */
export function BoxedPicture({
	src,
	picture,
	region,
	caption,
	places = [],
	boxes,
	onBox,
	onRemove,
}: {
	src: string;
	picture: Media;
	caption?: string;
	/** What the chain looks at, in pixels. */
	region?: Corners | undefined;
	places?: readonly Corners[];
	boxes: readonly Corners[];
	onBox: ((box: Corners) => void) | undefined;
	onRemove: (() => void) | undefined;
}) {
	const [size, setSize] = useState<{ width: number; height: number } | null>(null);
	const [drawn, setDrawn] = useState<Corners | null>(null);
	const [failed, setFailed] = useState(false);
	const from = useRef<{ x: number; y: number } | null>(null);
	const known = size ?? (picture.width && picture.height ? { width: picture.width, height: picture.height } : null);

	function pointAt(event: PointerEvent<HTMLElement>) {
		const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
		return { x: within((event.clientX - left) / width), y: within((event.clientY - top) / height) };
	}
	function begin(event: PointerEvent<HTMLElement>) {
		// a box is kept in pixels of the picture, so none begins before that is there
		if (!onBox || !size || event.button !== 0) return;
		event.currentTarget.setPointerCapture(event.pointerId);
		from.current = pointAt(event);
	}
	function drag(event: PointerEvent<HTMLElement>) {
		if (!from.current) return;
		const to = pointAt(event);
		setDrawn(ordered([from.current.x, from.current.y, to.x, to.y]));
	}
	function end() {
		from.current = null;
		if (drawn && drawn[2] - drawn[0] > 0.01 && drawn[3] - drawn[1] > 0.01) keep(drawn);
		setDrawn(null);
	}
	function keep([left, top, right, bottom]: Corners) {
		if (!size) return;
		const { width, height } = size;
		onBox?.([left * width, top * height, right * width, bottom * height].map(Math.round) as unknown as Corners);
	}
	function press(event: KeyboardEvent) {
		if (!onBox || event.ctrlKey || event.metaKey || event.altKey) return;
		if (!drawn) {
			if (event.key === "Enter") setDrawn(size && [0.35, 0.35, 0.65, 0.65]);
			// a dialog that it stands in closes instead
			else if (event.key === "Escape" && !event.currentTarget.closest("dialog"))
				(event.currentTarget as HTMLElement).blur();
			else if (event.key === "Backspace" || event.key === "Delete") onRemove?.();
			else return;
		} else if (event.key === "Enter") {
			keep(drawn);
			setDrawn(null);
		} else if (event.key === "Escape") setDrawn(null);
		else {
			const moved = movedBy(drawn, event.key, event.shiftKey);
			if (!moved) return;
			setDrawn(moved);
		}
		event.preventDefault();
		event.stopPropagation();
	}

	const shown: Place[] = [
		...places.map((corners): Place => ({ corners, label: "the evidence", is: "gold" })),
		...(region && size ? [{ corners: shareOf(region, size), label: "the chain looks here", is: "gold" as const }] : []),
		...(size
			? boxes.map((box, at): Place => ({ corners: shareOf(box, size), label: `your box ${at + 1}`, is: "own" }))
			: []),
		...(drawn ? [{ corners: drawn, label: "new box", is: "own" as const }] : []),
	];
	return (
		<figure className={styles.figure}>
			{/* biome-ignore lint/a11y/useSemanticElements: a drawing surface is no form field */}
			<div
				className={styles.surface}
				style={{ "--ratio": known ? known.width / known.height : 4 / 3 }}
				role="group"
				// biome-ignore lint/a11y/noNoninteractiveTabindex: boxes are drawn by keys too
				tabIndex={0}
				data-boxes
				data-draws={(onBox && size && true) || undefined}
				aria-label={`${picture.alt || "Picture"}. ${onBox ? "Enter begins a box, arrows move it, with Shift they change its size, Enter keeps it, Delete removes the last." : ""}`}
				onPointerDown={begin}
				onPointerMove={drag}
				onPointerUp={end}
				onPointerCancel={end}
				onKeyDown={press}
			>
				{failed ? (
					<p role="alert">The picture could not be fetched.</p>
				) : (
					<img
						src={src}
						alt={picture.alt}
						draggable={false}
						onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
						onError={() => setFailed(true)}
					/>
				)}
				{shown.map(({ corners: [left, top, right, bottom], label, is }) => (
					<span
						key={`${is} ${label}`}
						className={styles.box}
						data-is={is}
						title={label}
						style={{
							...{ left: percent(left), top: percent(top) },
							...{ width: percent(right - left), height: percent(bottom - top) },
						}}
					/>
				))}
			</div>
			{(caption !== undefined || boxes.length > 0) && (
				<figcaption className={styles.caption}>
					{[caption ?? "", boxes.length > 0 ? `${boxes.length} of your boxes` : ""].filter(Boolean).join(" · ")}
				</figcaption>
			)}
		</figure>
	);
}

const within = (share: number) => Math.max(0, Math.min(1, share));
const percent = (share: number) => `${within(share) * 100}%`;
const ordered = ([a, b, c, d]: Corners): Corners => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
const shareOf = ([a, b, c, d]: Corners, { width, height }: { width: number; height: number }): Corners => [
	a / width,
	b / height,
	c / width,
	d / height,
];

const steps: Record<string, readonly [number, number]> = {
	ArrowLeft: [-0.03, 0],
	ArrowRight: [0.03, 0],
	ArrowUp: [0, -0.03],
	ArrowDown: [0, 0.03],
};

function movedBy([left, top, right, bottom]: Corners, key: string, sized: boolean): Corners | undefined {
	const step = steps[key];
	if (!step) return undefined;
	const [x, y] = step;
	if (sized) return [left, top, Math.max(left + 0.02, within(right + x)), Math.max(top + 0.02, within(bottom + y))];
	const dx = Math.max(-left, Math.min(1 - right, x));
	const dy = Math.max(-top, Math.min(1 - bottom, y));
	return [left + dx, top + dy, right + dx, bottom + dy];
}
