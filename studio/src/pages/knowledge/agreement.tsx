import { Link } from "@tanstack/react-router";
import type { KnowledgeFound } from "../../../../src/studio/sources-pages.ts";
import styles from "./agreement.module.css";
import { titleOf } from "./found-lists.tsx";

/** The results that several indexes brought, with the rank that each gave them. */
export function Agreement({
	name,
	found: { lists, agreed, evidence, of, indexes },
}: {
	name: string;
	found: KnowledgeFound;
}) {
	if (indexes < 2)
		return <p className={styles.none}>Only one index answers such a query: there is nothing to agree with.</p>;
	if (agreed.length === 0)
		return (
			<p className={styles.none}>
				{of === 1 ? "The one result did not come" : `None of the ${of} results came`} back from more than one index. Ask
				for more results of each.
			</p>
		);
	return (
		<div className={styles.scroller}>
			<table className={styles.table}>
				<caption>
					{agreed.length} of {of} different results came back from several indexes. The numbers are ranks; lists that
					are made of others do not count.
				</caption>
				<thead>
					<tr>
						<th scope="col">Result</th>
						{lists.map(({ mode, fused }) => (
							<th key={mode} scope="col" data-fused={fused || undefined}>
								{titleOf(mode)}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{agreed.map(({ id, ranks }) => {
						const card = evidence[id];
						return (
							<tr key={id}>
								<th scope="row">
									<Link
										to="/knowledge/$name/documents/$document"
										params={{ name, document: card?.document ?? id }}
										search={{ at: id }}
										data-hit=""
									>
										<bdi>{card?.title || id}</bdi>
									</Link>
									<code>
										<bdi>{id}</bdi>
									</code>
								</th>
								{ranks.map((rank, place) => (
									<td key={lists[place]?.mode} data-rank={rank === null ? "none" : rank <= 3 ? "top" : "other"}>
										{rank ?? <span title="not among its results">–</span>}
									</td>
								))}
							</tr>
						);
					})}
				</tbody>
			</table>
		</div>
	);
}
