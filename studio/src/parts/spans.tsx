import type { Span } from "../../../src/studio/pages.ts";
import styles from "./spans.module.css";

const says = { wrong: "a value that was taken wrongly", gold: "the gold value" };

/** A text in which wrong values are underlined with a wave, and gold ones with a line. */
export const Spans = ({ spans }: { spans: readonly Span[] }) => (
	<bdi>
		{spans.map(({ text, is }, place) =>
			is === "plain" ? (
				text
			) : (
				// biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places
				<mark key={place} className={styles[is]} title={says[is]}>
					{text}
				</mark>
			),
		)}
	</bdi>
);
