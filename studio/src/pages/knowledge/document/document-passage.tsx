import type { DocumentPage } from "../../../../../src/studio/sources-pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import styles from "./document-passage.module.css";

/** One passage; pressing its places shows where it stands on the pages. */
export function DocumentPassage({
	passage: { card, section, form, places },
	pointed,
	onPoint,
}: {
	passage: DocumentPage["passages"][number];
	pointed: boolean;
	onPoint: () => void;
}) {
	const pages = [...new Set(places.map(({ page }) => page + 1))];
	return (
		<article className={styles.passage} data-pointed={pointed || undefined}>
			<header>
				<b dir="auto">{section || card.title}</b>
				{form === "table" && <span>table</span>}
				{pages.length > 0 && (
					<button type="button" aria-pressed={pointed} onClick={onPoint}>
						{pages.length === 1 ? "page" : "pages"} {pages.join(", ")}
					</button>
				)}
			</header>
			<div className={form === "table" ? styles.table : undefined}>
				<Clipped text={card.text} lines={14} />
			</div>
			<code>
				<bdi>{card.id}</bdi>
			</code>
		</article>
	);
}
