import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type Benchmark, deriveBenchmark, openBenchmark } from "#benchmarks";
import { counted, exitCodes, HopscopeError, plainLine } from "#domain";
import { type AnswersReport, datedTasks, probeSources, readStamps, recheckAnswers, stampBenchmark } from "#recipes";
import { openWorkspace, type Workspace, writeJsonl } from "#store";
import { locate, type ModelOptions, type OpenedInputs, openInputs, openModels, textReading } from "#workbench";
import { benchOf } from "../bench.ts";
import { type CommonOptions, type Context, next, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";

interface RecheckOptions extends CommonOptions, ModelOptions {
	knowledge?: string;
	encyclopedia?: string;
	contact?: string;
	model?: string;
	judge?: string;
	search: number;
	day?: string;
	undated?: boolean;
	looks?: string;
	to?: string;
	force?: boolean;
}

const mostTold = 10;

/** `hopscope benchmark recheck BENCH`: which answers still hold. */
export function addBenchmarkRecheck(benchmark: Command, context: Context, exit: (code: number) => void): void {
	const { output } = context;
	withModels(withWorkspace(benchmark.command("recheck")))
		.description("Look again at answers that were found right on a day (asOf), against the knowledge of today")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("-k, --knowledge <name>", "the knowledge base of today (default: the one it names)")
		.option("--encyclopedia <name>", "ask local (the knowledge base's graph), wikimedia, or recorded:FOLDER as well")
		.option("--contact <mail>", "who asks, for wikimedia: a mail address or an https page")
		.option("-m, --model <model>", "reads the evidence where rules cannot be sure")
		.option("--judge <model>", "tells another answer from other words (default: the same model)")
		.option("--search <n>", "passages found for the question that a model reads too", wholeNumber(0, 50), 5)
		.option("--undated", "look at answers without a day too: what holds gets one")
		.option("--day <YYYY-MM-DD>", "the day of looking (default: today)", dayFrom)
		.option("--looks <file>", "write what was seen, hop by hop, as JSON lines")
		.option("--to <name>", "write the next version: new days, answers of today, what no longer holds left out")
		.option("--force", "replace the benchmark that has that name")
		.addHelpText(
			"after",
			`
Hop by hop: arithmetic is done again; an encyclopedia is asked for the hop's relation; evidence that is what it was holds,
changed evidence must state the answer. Without a model, what rules cannot tell stays open and keeps its day.
Exit 1: an answer changed or its evidence is gone and --to was not given, or something could not be asked.

Examples:
  $ hopscope benchmark recheck mine
  $ hopscope benchmark recheck mine --knowledge wiki-2027 --model openai:NAME --looks looks.jsonl
  $ hopscope benchmark recheck mine --encyclopedia local --day 2027-01-01 --to mine-2027`,
		)
		.action(async (name: string, options: RecheckOptions) => {
			const workspace = openWorkspace(options.workspace);
			const from = await openBenchmark(await locate(workspace, "benchmarks", name));
			if (options.to === from.manifest.name) throw sameName(options.to);
			const opened = await openInputs(
				workspace,
				{ name: "recheck", needs: [] },
				{ ...options, knowledge: options.knowledge ?? from.manifest.knowledge },
			);
			try {
				const report = await lookAgain(from, { workspace, opened, options, context });
				if (options.looks !== undefined) await writeJsonl(options.looks, report.looks);
				const written =
					options.to === undefined ? undefined : await writeDated(from, report, { workspace, opened, options });
				if (options.json) output.write(JSON.stringify({ benchmark: from.manifest.name, ...report, ...written }));
				else output.write([...reportLines(from.manifest.name, report), ...writtenLines(written, options)].join("\n"));
				const { changed, gone } = report.counts;
				if (report.waiting.length > 0 || (options.to === undefined && changed + gone > 0)) exit(exitCodes.failed);
			} finally {
				opened.close();
			}
		});
}

interface Looking {
	workspace: Workspace;
	opened: OpenedInputs;
	options: RecheckOptions;
}

async function lookAgain(
	from: Benchmark,
	{ opened, options, context }: Looking & { context: Context },
): Promise<AnswersReport> {
	const { inputs } = opened;
	const { output, signal } = context;
	const { models } = await openModels(benchOf(context, options), options);
	const solver = options.model === undefined ? undefined : models.open(options.model);
	const judge = options.judge === undefined ? solver : models.open(options.judge);
	const work = await mkdtemp(join(tmpdir(), "hopscope-recheck-"));
	try {
		return await recheckAnswers(
			from.tasks,
			{
				...{ knowledge: inputs.knowledge, stamps: await readStamps(from.dir), reading: textReading },
				...{ encyclopedia: inputs.encyclopedia, shown: probeSources(inputs, { folder: from.dir }) },
				...{ searched: options.search, day: options.day ?? new Date().toISOString().slice(0, 10) },
			},
			{
				...{ dir: work, signal, undated: options.undated },
				...(solver && judge ? { models: { solver, judge } } : {}),
				onProgress: (looked) => {
					if (looked % 100 === 0) output.overwrite?.(`${from.manifest.name}: ${looked} looked at`);
				},
			},
		);
	} finally {
		output.overwrite?.("");
		await rm(work, { recursive: true, force: true });
	}
}

interface Written {
	to: string;
	version: number;
	renewed: number;
	changed: number;
	removed: string[];
	kept: number;
}

async function writeDated(from: Benchmark, report: AnswersReport, looking: Looking): Promise<Written> {
	const { workspace, opened, options } = looking;
	const { to = "", force = false } = options;
	const dated = datedTasks(from.tasks, report);
	if (dated.tasks.length === 0)
		throw new HopscopeError("nothing-left", `no answer of ${from.manifest.name} holds any more`, "Make it anew.", {
			exitCode: exitCodes.failed,
		});
	const { release, hash: previous } = from.manifest;
	const version = (release?.version ?? 1) + 1;
	const counts = { renewed: dated.renewed.length, changed: dated.changed.length, kept: dated.kept.length };
	const dir = workspace.benchmark(to);
	await deriveBenchmark(from, dir, {
		...{ name: to, tasks: dated.tasks, force },
		how: `answers looked at again on ${report.day}: ${counts.renewed} hold, ${counts.changed} have another answer now, ${dated.removed.length} left out, ${counts.kept} not told and kept with the day they had.`,
		manifest: { knowledge: opened.knowledge, release: { version, date: report.day, previous } },
	});
	await writeJsonl(join(dir, "looks.jsonl"), report.looks);
	await stampBenchmark(dir, dated.tasks, opened.inputs.knowledge);
	return { to, version, ...counts, removed: dated.removed };
}

function reportLines(name: string, { day, tasks, dated, counts, looks, waiting }: AnswersReport): string[] {
	const { holds, changed, gone, open } = counts;
	const worst = looks.filter(({ is }) => is === "changed" || is === "gone");
	const undated = tasks - dated;
	return [
		`${name} on ${day}: ${counted(looks.length, "answer")} looked at: ${holds} hold, ${changed} changed, ${gone} without evidence, ${open} open`,
		...(undated > 0 && looks.length + waiting.length < tasks
			? [`${undated} of ${counted(tasks, "task")} say no day and were not looked at; --undated looks at them too`]
			: []),
		...worst
			.slice(0, mostTold)
			.flatMap(({ task, asOf, is, now, hops }) => [
				plainLine(
					`  ${task} (${asOf ?? "no day"}) ${is}${is === "changed" ? `; now ${now?.value ?? "not known"}` : ""}`,
					200,
				),
				...hops
					.filter((hop) => hop.is !== "holds")
					.map((hop) => plainLine(`    ${hop.hop} ${hop.is}: ${hop.says}`, 200)),
			]),
		...(worst.length > mostTold ? [`  and ${worst.length - mostTold} more (--looks FILE writes all)`] : []),
		...(waiting.length > 0
			? [`${counted(waiting.length, "task")} could not be looked at: ${plainLine(waiting[0]?.message ?? "", 200)}`]
			: []),
	];
}

function writtenLines(written: Written | undefined, options: RecheckOptions): string[] {
	if (!written) return [];
	const { to, version, renewed, changed, removed, kept } = written;
	return [
		`${to}, version ${version}: ${renewed} with the new day, ${changed} with another answer, ${kept} as they were, ${removed.length} left out`,
		`Try: ${next(`benchmark check ${to}`, options)}`,
	];
}

const sameName = (name: string) =>
	new HopscopeError(
		"benchmark-exists",
		`a benchmark cannot be its own next version (${name})`,
		"Choose another --to.",
		{
			exitCode: exitCodes.usage,
		},
	);

function dayFrom(text: string): string {
	const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
	if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
	throw new InvalidArgumentError("Give a day as YYYY-MM-DD.");
}
