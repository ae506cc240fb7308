import type { Media } from "../../../src/studio/pages.ts";
import { useData } from "../data/source.ts";
import styles from "./picture.module.css";

/** A small picture of fixed height; pressing it shows it in full. It is fetched when it comes near the window. */
export function Picture({
	run,
	picture,
	height,
	width = height,
	onOpen,
}: {
	run: string;
	picture: Media;
	height: number;
	width?: number;
	onOpen?: () => void;
}) {
	const data = useData();
	const image = (
		<img
			src={data.media(run, picture.name, { small: true })}
			alt={onOpen ? "" : picture.alt}
			width={width}
			height={height}
			loading="lazy"
			decoding="async"
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
