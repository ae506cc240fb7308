import { useState } from "react";
import type { Media } from "../../../src/studio/pages.ts";
import { useData } from "../data/source.ts";
import styles from "./picture.module.css";

/** A small picture of fixed height; pressing it shows it in full. It is fetched when it comes near the window. */
export function Picture({
	run,
	picture,
	height,
	width = height,
	whole = false,
	onOpen,
}: {
	run: string;
	picture: Media;
	height: number;
	width?: number;
	/** Nothing is cut off: of a page or a chart the edges matter. */
	whole?: boolean;
	onOpen?: () => void;
}) {
	const data = useData();
	const [failed, setFailed] = useState(false);
	const image = failed ? (
		<span className={styles.failed}>no picture</span>
	) : (
		<img
			src={data.media(run, picture.name, { small: true })}
			alt={onOpen ? "" : picture.alt}
			width={width}
			height={height}
			data-whole={whole || undefined}
			loading="lazy"
			decoding="async"
			onError={() => setFailed(true)}
		/>
	);
	if (!onOpen)
		return (
			<span className={styles.picture} style={{ width, height }}>
				{image}
			</span>
		);
	return (
		<button
			type="button"
			className={styles.picture}
			style={{ width, height }}
			onClick={onOpen}
			aria-label={`Show in full: ${picture.alt}`}
		>
			{image}
		</button>
	);
}
