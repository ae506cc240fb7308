import { createInterface } from "node:readline";
import { exitCodes, HopscopeError } from "#domain";
import { measure, metrics } from "#scoring";
import type { AddCommand } from "../context.ts";

const names = Object.keys(metrics);

export const addMetric: AddCommand = (program, { output }) =>
	program
		.command("metric")
		.description("Any metric as a filter: JSON lines on standard input, one JSON line out for each")
		.argument("<name>", `one of: ${names.join(", ")}`)
		.option("--json", "accepted everywhere; output is always JSON lines")
		.addHelpText("after", `\nExamples:\n${examples()}`)
		.action(async (name: string) => {
			const metric = Object.hasOwn(metrics, name) ? metrics[name as keyof typeof metrics] : undefined;
			if (!metric)
				throw new HopscopeError(
					"unknown-metric",
					`no metric is called "${name}"`,
					`Give one of: ${names.join(", ")}.`,
					{
						exitCode: exitCodes.usage,
					},
				);
			let number = 0;
			for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
				number += 1;
				const text = line.replace(/^\ufeff/, "");
				if (text.trim() === "") continue;
				const measured = measure(metric, text);
				if ("problem" in measured)
					throw new HopscopeError(
						"bad-line",
						`line ${number}: ${measured.problem}`,
						`Expected for example ${JSON.stringify(metric.example)}`,
						{ exitCode: exitCodes.usage, facts: { line: number } },
					);
				output.write(JSON.stringify(measured.result));
			}
			if (number === 0) output.say(`${name}: no lines on standard input`);
		});

function examples(): string {
	return Object.values(metrics)
		.map((metric) => `  $ echo '${JSON.stringify(metric.example)}' | hopscope metric ${metric.name}`)
		.join("\n");
}
