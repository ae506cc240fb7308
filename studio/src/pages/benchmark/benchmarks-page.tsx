import { Link } from "@tanstack/react-router";
import { useBenchmarks } from "../../data/sources.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural } from "../../parts/format.ts";
import { SourceLinks } from "../../parts/source-links.tsx";
import styles from "../../parts/source-table.module.css";
import { Trouble } from "../../parts/trouble.tsx";

/** Which benchmarks there are. */
export function BenchmarksPage() {
	const { data, isError, error, refetch } = useBenchmarks();
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<Link key="runs" to="/">
						Hopscope
					</Link>,
				]}
				title="Benchmarks"
			>
				<SourceLinks here="benchmarks" />
			</Bar>
			<main className={styles.main} aria-busy={!data && !isError}>
				{isError && !data ? (
					<Trouble what="The benchmarks could not be fetched" error={error} onRetry={() => void refetch()} />
				) : data?.length === 0 ? (
					<p className={styles.none}>
						There is no benchmark in this workspace. <code>hopscope make</code> makes one, <code>hopscope import</code>{" "}
						takes one in.
					</p>
				) : (
					<table className={styles.table}>
						<thead>
							<tr>
								<th scope="col">Name</th>
								<th scope="col">Tasks</th>
								<th scope="col">Runs</th>
								<th scope="col">Knowledge base</th>
								<th scope="col">Made by</th>
								<th scope="col">Licence</th>
							</tr>
						</thead>
						<tbody>
							{data?.map(({ name, title, problem, tasks, runs, knowledge, recipe, licence }) => (
								<tr key={name}>
									<td>
										<Link to="/benchmarks/$name" params={{ name }} className={styles.name}>
											<bdi>{name}</bdi>
										</Link>
										{title !== "" && title.toLowerCase() !== name && (
											<div className={styles.dim} dir="auto">
												{title}
											</div>
										)}
									</td>
									{problem === null ? (
										<>
											<td>{plural(tasks, "task")}</td>
											<td>{plural(runs, "run")}</td>
											<td>
												<Link to="/knowledge/$name" params={{ name: knowledge }}>
													<bdi>{knowledge}</bdi>
												</Link>
											</td>
											<td>
												{recipe === null ? <span className={styles.dim}>not made here</span> : `recipe ${recipe}`}
											</td>
											<td dir="auto">{licence}</td>
										</>
									) : (
										<td colSpan={5} className={styles.problem} dir="auto">
											{problem}
										</td>
									)}
								</tr>
							))}
						</tbody>
					</table>
				)}
			</main>
		</div>
	);
}
