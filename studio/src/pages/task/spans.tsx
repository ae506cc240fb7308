import type { TaskStep } from "../../../../src/studio/pages.ts";
import styles from "./spans.module.css";

/** A query in which values that were taken wrongly are underlined with a wave. */
export const Spans = ({ spans }: { spans: TaskStep["query"] }) => (
	<bdi>
		{spans.map(({ text, wrong }, place) =>
			wrong ? (
				// biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places
				<mark key={place} className={styles.wrong} title="a value that was taken wrongly before">
					{text}
				</mark>
			) : (
				text
			),
		)}
	</bdi>
);
