import type { Command } from "commander";
import type { BenchmarkDiff, EvidenceDiff } from "#benchmarks";
import { counted, plainLine } from "#domain";
import { type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

interface DiffOptions extends CommonOptions {
	knowledge?: string[];
	show: number;
}

/** `hopscope benchmark diff A B`: what changed between two versions. */
export function addBenchmarkDiff(benchmark: Command, context: Context): void {
	withWorkspace(benchmark.command("diff"))
		.description("What changed between two versions of a benchmark, and in the evidence they rest on")
		.argument("<before>", "a benchmark: its name in the workspace, or its folder")
		.argument("<after>", "the other one")
		.option("-n, --knowledge <names...>", "the two knowledge bases, older first (default: those they name)")
		.option("--show <n>", "tasks told of each kind", wholeNumber(0, 1_000_000), 5)
		.addHelpText(
			"after",
			`
Tasks are paired by id, and where an id is gone, by question and images. Where both knowledge bases are at hand and differ,
gold evidence that was changed, removed or added is told with the tasks that rest on it.

Examples:
  $ hopscope benchmark diff atlas atlas-split
  $ hopscope benchmark diff old/benchmarks/mine mine --knowledge old/knowledge/mine mine --json`,
		)
		.action(async (old: string, fresh: string, options: DiffOptions) => {
			const { output } = context;
			const found = await watch(context, options, (bench) => bench.diff(old, fresh, options));
			const { before, after, diff, evidence } = found;
			if (options.json) {
				const compared = "named" in evidence ? { evidence } : { evidence: null, reason: evidence.reason };
				return output.write(JSON.stringify({ before, after, ...diff, ...compared }));
			}
			output.write([...diffLines(diff, options.show), "", ...evidenceLines(evidence, options.show)].join("\n"));
			sayNext(context, `benchmark check ${fresh}`, options);
		});
}

function diffLines({ tasks, added, removed, changed, parts }: BenchmarkDiff, show: number): string[] {
	const more = (count: number) => (show > 0 && count > show ? [`  and ${count - show} more`] : []);
	const listed = (what: string, list: BenchmarkDiff["added"]) =>
		list.length === 0
			? []
			: [
					"",
					`${what}: ${list.length}`,
					...list.slice(0, show).map(({ task, question }) => `  ${plainLine(task)}: ${plainLine(question, 160)}`),
					...more(list.length),
				];
	return [
		`${tasks.before} → ${tasks.after} tasks: ${tasks.same} same, ${changed.length} changed, ${added.length} added, ${removed.length} removed`,
		...(changed.length > 0
			? [
					`changed: ${Object.entries(parts)
						.map(([part, count]) => `${part} ${count}`)
						.join(", ")}`,
				]
			: []),
		...changed
			.slice(0, show)
			.flatMap(({ task, was, changes }) => [
				"",
				`${plainLine(task)}${was === undefined ? "" : ` (was ${plainLine(was)})`}`,
				...changes.flatMap((change) => [
					`  ${change.part}`,
					`    - ${plainLine(change.before, 300)}`,
					`    + ${plainLine(change.after, 300)}`,
				]),
			]),
		...more(changed.length),
		...listed("added", added),
		...listed("removed", removed),
	];
}

function evidenceLines(diff: EvidenceDiff | { reason: string }, show: number): string[] {
	if (!("named" in diff)) return [`gold evidence was not compared: ${diff.reason}`];
	const listed = (what: string, list: EvidenceDiff["changed"]) =>
		list
			.slice(0, show)
			.map(({ evidence, tasks }) => `  ${what} ${plainLine(evidence)} (${counted(tasks.length, "task")})`);
	return [
		`gold evidence: ${diff.changed.length} changed, ${diff.added.length} added, ${diff.removed.length} removed, ${diff.unknown.length} in neither, of ${diff.named}`,
		...[...listed("changed", diff.changed), ...listed("added", diff.added), ...listed("removed", diff.removed)],
	];
}
