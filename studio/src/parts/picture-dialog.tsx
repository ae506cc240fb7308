import { type KeyboardEvent, useState } from "react";
import type { Media } from "../../../src/studio/pages.ts";
import { useData } from "../data/source.ts";
import { Dialog } from "./dialog.tsx";
import styles from "./picture-dialog.module.css";

/** A part of a picture that is pointed at: corners (left, top, right, bottom) as shares of its width and height. */
export interface PictureBox {
	corners: readonly [number, number, number, number];
	label: string;
	/** `gold`: what is looked for; `step`: what the agent cut out. */
	is: "gold" | "step";
}

const zooms = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

/** A picture in full size with what was looked at in it: fitted to the window first, then as large as one likes. */
export function PictureDialog({
	run,
	picture,
	boxes = [],
	onClose,
}: {
	run: string;
	/** Null: closed. */
	picture: Media | null;
	boxes?: readonly PictureBox[];
	onClose: () => void;
}) {
	return picture && <Opened key={picture.name} run={run} picture={picture} boxes={boxes} onClose={onClose} />;
}

function Opened({
	run,
	picture,
	boxes,
	onClose,
}: {
	run: string;
	picture: Media;
	boxes: readonly PictureBox[];
	onClose: () => void;
}) {
	const data = useData();
	const [zoom, setZoom] = useState<number | null>(null);
	const [size, setSize] = useState({ width: picture.width, height: picture.height });
	const [failed, setFailed] = useState(false);
	const nearer = () => setZoom(zooms.find((one) => one > (zoom ?? 1)) ?? 8);
	const further = () => setZoom(zooms.findLast((one) => one < (zoom ?? 1)) ?? 0.25);
	const keys: Record<string, () => void> = {
		"+": nearer,
		"=": nearer,
		"-": further,
		"0": () => setZoom(null),
		"1": () => setZoom(1),
	};
	function press(event: KeyboardEvent) {
		const does = event.ctrlKey || event.metaKey ? undefined : keys[event.key];
		if (!does) return;
		event.preventDefault();
		does();
	}
	const { width, height } = size;
	const fitted = { "--width": width ?? 640, "--ratio": width === null || height === null ? 1 : width / height };
	return (
		<Dialog
			open
			onClose={onClose}
			title={picture.alt || "Picture"}
			wide
			onKeyDown={press}
			actions={
				<div className={styles.tools}>
					<output className={styles.size}>
						{width !== null && `${width} × ${height}`}
						{zoom !== null && ` at ${Math.round(zoom * 100)} %`}
					</output>
					<button type="button" onClick={() => setZoom(null)} aria-pressed={zoom === null} title="0">
						Fit
					</button>
					<button type="button" onClick={() => setZoom(1)} aria-pressed={zoom === 1} title="1">
						100 %
					</button>
					<button type="button" onClick={further} aria-label="Smaller" title="-">
						−
					</button>
					<button type="button" onClick={nearer} aria-label="Larger" title="+">
						+
					</button>
				</div>
			}
		>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
			<section className={styles.ground} tabIndex={0} aria-label={picture.alt || "Picture"}>
				<div
					className={styles.whole}
					data-fit={zoom === null || undefined}
					style={zoom === null || width === null ? fitted : { width: Math.round(width * zoom) }}
				>
					{failed ? (
						<p role="alert">The picture could not be fetched.</p>
					) : (
						<img
							src={data.media(run, picture.name)}
							alt={picture.alt}
							onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
								setSize({ width: naturalWidth, height: naturalHeight })
							}
							onError={() => setFailed(true)}
						/>
					)}
					{/* biome-ignore lint/suspicious/noArrayIndexKey: several may say the same, and none changes its place */}
					{!failed && boxes.map((box, at) => <Boxed key={at} box={box} />)}
				</div>
			</section>
		</Dialog>
	);
}

const share = (of: number) => `${Math.max(0, Math.min(1, of)) * 100}%`;

function Boxed({ box: { corners, label, is } }: { box: PictureBox }) {
	const [left, top, right, bottom] = corners;
	const place = { left: share(left), top: share(top), width: share(right - left), height: share(bottom - top) };
	return (
		<div className={styles.box} data-is={is} style={place}>
			<span>{label}</span>
		</div>
	);
}
