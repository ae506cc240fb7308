import { type Command, InvalidArgumentError, Option } from "commander";
import { defaultParts, defaultStrata, type SplitPart, splitLinks } from "#benchmarks";
import { counted, plainLine } from "#domain";
import type { BenchmarkSplit, SplitOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { percent, textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

/** `hopscope benchmark split NAME`: stratified parts that share nothing. */
export function addBenchmarkSplit(benchmark: Command, context: Context): void {
	withWorkspace(benchmark.command("split"))
		.description("Split a benchmark in parts of like composition, so that nothing that tasks share crosses")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.addOption(
			new Option("--parts <names=weights>", "parts and their weights, e.g. train=8,test=2")
				.argParser(partsOf)
				.default([...defaultParts], defaultParts.map(({ name, weight }) => `${name}=${weight}`).join(",")),
		)
		.addOption(
			new Option("--by <names...>", "what every part has alike: hops, answer (its type), any tag").default(
				[...defaultStrata],
				defaultStrata.join(" "),
			),
		)
		.addOption(
			new Option(
				"--link <kinds...>",
				"what keeps tasks together; `none` alone: nothing (default: evidence image question ladder cluster; fact in place of evidence where evidence ties too many)",
			).choices([...splitLinks, "none"]),
		)
		.option("--seed <n>", "orders what is equal", wholeNumber(0, 2 ** 31), 0)
		.option("--to <name>", "the new benchmark's name (default: NAME-split)")
		.option("--force", "replace what has that name")
		.option("--dry-run", "say how it would be split, and write nothing")
		.addHelpText(
			"after",
			`
Tasks are kept together that share gold evidence, a question image, a question or sub-question, a nested question series
(\`ladder\`) or a declared cluster; \`--link answer\` adds their answer, as MuSiQue has it, \`fact\` is evidence that
states the same answer, finer than \`evidence\` where one table states many: by itself it is taken where \`evidence\` would
miss the weights by more than 5 points. What crosses the parts all the same is told. Whole groups are placed, so the weights are
reached as nearly as groups allow: how far off it is, and what ties the largest groups together, is told. The part
stands in the tag \`split\` of the new benchmark; the old one stays as it is.

Examples:
  $ hopscope benchmark split atlas
  $ hopscope benchmark split mine --parts train=8,test=2 --by hops language --link evidence image question answer --to mine-v2
  $ hopscope benchmark split mine --link evidence image question ladder cluster --dry-run`,
		)
		.action(async (name: string, options: SplitOptions & CommonOptions) => {
			const { output } = context;
			const link = options.link?.filter((one) => (one as string) !== "none");
			const { split, written } = await watch(context, options, (bench) => bench.split(name, { ...options, link }));
			const { of, ...told } = split;
			if (options.json) {
				const tasks = options.dryRun ? { tasks: Object.fromEntries(of) } : {};
				return output.write(JSON.stringify({ ...written, ...told, ...tasks }));
			}
			output.write(splitLines(split, output.columns).join("\n"));
			if (!written) return;
			output.write(`\nwritten: ${written.benchmark} (${written.hash.slice(0, 12)})`);
			sayNext(context, `benchmark stats ${written.benchmark}`, options);
		});
}

function splitLines(
	{ parts, strata, clusters, deviation, links, shared }: BenchmarkSplit,
	width: number | undefined,
): string[] {
	const all = parts.reduce((sum, { tasks }) => sum + tasks, 0);
	const crossing = splitLinks.filter((link) => shared[link]);
	const share = (count: number) => (all === 0 ? "–" : percent(count / all));
	return [
		`${counted(all, "task")} in ${counted(clusters.count, "group")} that share nothing with one another; at most ${percent(deviation)} points off the weights`,
		links.length > 0 ? `kept together by ${links.join(", ")}` : "nothing keeps tasks together",
		"",
		...textTable([
			["part", "tasks", "%", "wanted %", "groups"],
			...parts.map((part) => [
				part.name,
				String(part.tasks),
				share(part.tasks),
				share(part.wanted),
				String(part.clusters),
			]),
		]),
		"",
		...textTable(
			[
				["stratum", "tasks", ...parts.map(({ name }) => name)],
				...strata.slice(0, 20).map((row) => [plainLine(row.name, 60), String(row.tasks), ...row.counts.map(String)]),
			],
			{ width },
		),
		...(strata.length > 20 ? [`and ${strata.length - 20} smaller strata`] : []),
		"",
		...(crossing.length === 0
			? ["The parts share nothing with one another."]
			: textTable([
					["tasks that share with another part", ...parts.map(({ name }) => name)],
					...crossing.map((link) => [link, ...parts.map(({ name }) => String(shared[link]?.[name] ?? 0))]),
				])),
		...clusters.oversized
			.slice(0, 3)
			.flatMap(({ tasks, part, ties }) => [
				"",
				`${counted(tasks, "task")} cannot be parted and went to ${part}; tied together most by`,
				...ties.slice(0, 3).map((tie) => `  ${plainLine(tie.key, 90)} (${counted(tie.tasks, "task")})`),
			]),
	];
}

function partsOf(text: string): SplitPart[] {
	const parts = text.split(",").map((one) => {
		const [, name, weight] = /^\s*([\p{L}\p{N}_.-]{1,60})\s*=\s*(\d+(?:\.\d+)?)\s*$/u.exec(one) ?? [];
		if (name === undefined || Number(weight) <= 0)
			throw new InvalidArgumentError("Give names with weights above 0, e.g. train=7,validation=1,test=2.");
		return { name, weight: Number(weight) };
	});
	if (new Set(parts.map(({ name }) => name)).size < parts.length)
		throw new InvalidArgumentError("Give each part its own name.");
	return parts;
}
