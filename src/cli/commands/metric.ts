import { createInterface } from "node:readline";
import { counted, didYouMean, usageError } from "#domain";
import { type Metric, measureLine, metricGroups, metrics } from "#scoring";
import type { AddCommand } from "../context.ts";

const names = Object.keys(metrics);

export const addMetric: AddCommand = (command, { output }) =>
	command
		.argument("<name>", `one of: ${names.join(", ")}`)
		.option("--about", "say what the metric measures instead, with its formula, edge cases and source")
		.option("--json", "accepted everywhere; output is always JSON lines")
		.addHelpText(
			"after",
			`
Each line is answered with {"value": …} and what belongs to it. Where the value is not defined, or a line does not fit, the
answer is {"value": null, "is": "unscored", "reason": "…"}; lines that did not fit make the exit code 2.

Examples:
${examples()}`,
		)
		.action(async (name: string, { about }: { about?: boolean }) => {
			const metric = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
			if (!metric)
				throw usageError(
					"unknown-metric",
					`no metric is called "${name}"`,
					`${didYouMean(name, names)}Give one of: ${names.join(", ")}.`,
				);
			if (about) {
				output.write(described(metric));
				return;
			}
			let number = 0;
			let misfit: { line: number; reason: string; more: number } | undefined;
			for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
				number += 1;
				const text = line.replace(/^\ufeff/, "");
				if (text.trim() === "") continue;
				const { fits, result } = measureLine(metric, text);
				if (!fits && misfit) misfit.more += 1;
				else if (!fits) misfit = { line: number, reason: String(result.reason), more: 0 };
				output.write(JSON.stringify(result));
			}
			if (number === 0) output.say(`${name}: no lines on standard input`);
			// every line has had its answer; that some were misfits is still the caller's mistake
			if (misfit)
				throw usageError(
					"bad-line",
					`line ${misfit.line}: ${misfit.reason}${misfit.more > 0 ? ` (and ${counted(misfit.more, "more line")})` : ""}`,
					`Expected for example ${JSON.stringify(metric.example)}`,
					{ facts: { line: misfit.line } },
				);
		});

function described({ name, group, describe, formula, range, edges, source, example }: Metric): string {
	return [
		`${name} (${metricGroups[group].toLowerCase()}): ${describe}`,
		`  formula  ${formula}`,
		`  range    ${range}`,
		`  edges    ${edges}`,
		`  source   ${source}`,
		`  example  ${JSON.stringify(example)}`,
	].join("\n");
}

function examples(): string {
	return ["f1", "hps", "interval"]
		.flatMap((name) => metrics[name] ?? [])
		.map(({ name, example }) => `  $ echo '${JSON.stringify(example)}' | hopscope metric ${name}`)
		.join("\n");
}
