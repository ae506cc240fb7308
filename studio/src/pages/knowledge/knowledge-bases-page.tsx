import { Link } from "@tanstack/react-router";
import { useKnowledgeBases } from "../../data/sources.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural } from "../../parts/format.ts";
import { SourceLinks } from "../../parts/source-links.tsx";
import styles from "../../parts/source-table.module.css";
import { Trouble } from "../../parts/trouble.tsx";

/** Which knowledge bases there are, and what each holds. */
export function KnowledgeBasesPage() {
	const { data, isError, error, refetch } = useKnowledgeBases();
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<Link key="runs" to="/">
						Hopscope
					</Link>,
				]}
				title="Knowledge bases"
			>
				<SourceLinks here="knowledge" />
			</Bar>
			<main className={styles.main} aria-busy={!data && !isError}>
				{isError && !data ? (
					<Trouble what="The knowledge bases could not be fetched" error={error} onRetry={() => void refetch()} />
				) : data?.length === 0 ? (
					<p className={styles.none}>
						There is no knowledge base in this workspace. <code>hopscope index PATHS…</code> makes one.
					</p>
				) : (
					<table className={styles.table}>
						<thead>
							<tr>
								<th scope="col">Name</th>
								<th scope="col">Holds</th>
								<th scope="col">Indexes</th>
								<th scope="col">Benchmarks over it</th>
							</tr>
						</thead>
						<tbody>
							{data?.map(({ name, problem, counts, indexes, benchmarks }) => (
								<tr key={name}>
									<td>
										<Link to="/knowledge/$name" params={{ name }} className={styles.name}>
											<bdi>{name}</bdi>
										</Link>
									</td>
									{problem === null ? (
										<>
											<td>
												{counts.passage === undefined ? "passages" : plural(counts.passage, "passage")},{" "}
												{plural(counts.page, "page")}, {plural(counts.image, "image")}
											</td>
											<td>{indexes.join(", ")}</td>
										</>
									) : (
										<td colSpan={2} className={styles.problem} dir="auto">
											{problem}
										</td>
									)}
									<td>
										{benchmarks.map((benchmark, place) => (
											<span key={benchmark}>
												{place > 0 && ", "}
												<Link to="/benchmarks/$name" params={{ name: benchmark }}>
													<bdi>{benchmark}</bdi>
												</Link>
											</span>
										))}
									</td>
								</tr>
							))}
						</tbody>
					</table>
				)}
			</main>
		</div>
	);
}
