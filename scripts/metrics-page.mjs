/** `docs/metrics.md` from the registry: every metric with its formula, and what scores a run with its place in tables. */

const cell = (text) => String(text).replaceAll("|", "\\|");
const table = (head, rows) =>
	[head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

export function metricsPage({ metricGroups, metrics, scorers, workedRecord }) {
	const record = JSON.stringify(workedRecord);
	const groups = Object.entries(metricGroups).map(([group, title]) => {
		const own = Object.values(metrics).filter((metric) => metric.group === group);
		const rows = own.map(({ name, describe, range, source }) => [
			`[\`${name}\`](#${name.replaceAll("@", "")})`,
			describe,
			range,
			source,
		]);
		return { title, rows, sections: own.map((metric) => section(metric, record)).join("\n") };
	});
	const tables = groups.map(
		({ title, rows }) => `**${title}**\n\n${table(["metric", "what", "range", "source"], rows)}\n`,
	);
	const scores = scorers.map(({ name, heading, direction, aggregation, needs, example, meaning }) => [
		...[`[\`${name}\`](#${name.replaceAll("@", "")})`, heading, direction === "neither" ? "–" : direction, aggregation],
		...[needs.join(", "), Math.round(example * 1e6) / 1e6, meaning],
	]);
	return `# Metrics

Every number that the project prints is one of these, computed by one function. Each is a filter too:
\`hopscope metric NAME\` reads JSON lines on standard input and answers each with one JSON line,
\`{"value": …}\` and what belongs to it. Where the value is not defined, or a line does not fit, the answer is
\`{"value": null, "is": "unscored", "reason": "…"}\`; lines that did not fit make the exit code 2 at the end.
\`hopscope metric NAME --about\` prints what stands here. How numbers are read: [guides/scoring.md](guides/scoring.md).

${tables.join("\n")}
## Scores of a run

What every record of a run is scored by. A record that lacks what a score needs is unscored, with the reason. A run's figure
is made of its tasks', repeats of a task averaged first, and related tasks share their luck: a \`share\` is a mean of values
in [0, 1] with bounds for what is missing, a \`mean\` that of any values, a \`ratio\` a sum over a sum of hops; each with its
95 % interval. A score of your own stands beside them: \`--scorer FILE\`.

${table(["score", "column", "better", "over tasks", "needs", "worked record", "meaning"], scores)}

The worked record, which \`$RECORD\` stands for below:

\`\`\`
${record}
\`\`\`

${groups.map(({ title, sections }) => `## ${title}\n\n${sections}`).join("\n")}`;
}

function section({ name, describe, formula, range, edges, source, example, measure }, record) {
	const shown = JSON.stringify(example);
	return `### \`${name}\`

${describe}

- Formula: ${formula}
- Range: ${range}
- Edge cases: ${edges}
- Source: ${source}

\`\`\`
$ echo ${shown === record ? '"$RECORD"' : `'${shown}'`} | hopscope metric ${name}
${JSON.stringify(measure(example).result)}
\`\`\`
`;
}
