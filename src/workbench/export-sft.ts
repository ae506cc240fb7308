import { join } from "node:path";
import { addUsage, noUsage, software, type Usage, usageError } from "#domain";
import { replaceFolder, sha256File, type Workspace, writeJson, writeJsonl, writeWhole } from "#store";
import { countedBy, isClean, type Preflight, type Trainer, trainingWriters, type Writing } from "#training";
import { exists, runMeant } from "./locate.ts";
import { openModels } from "./models.ts";
import { sftCard } from "./sft-card.ts";
import { fromBenchmark } from "./sft-chains.ts";
import type { Gathered, SftOptions, SourceReport } from "./sft-sources.ts";
import { fromRun } from "./sft-trajectories.ts";
import type { Bench } from "./work.ts";

/** What was made, as it is told. */
export interface SftReport {
	examples: number;
	dropped: number;
	format: Trainer;
	files: string[];
	sources: SourceReport[];
	written: Pick<Writing, "rows" | "images" | "left" | "losses" | "longest">;
	preflight: Preflight;
	clean: boolean;
	usage: Usage;
}

const marker = "export.json";
/** In a folder of their own: trainers take every file of lines beside theirs for rows. */
const examplesFile = "source/examples.jsonl";
const droppedFile = "source/dropped.jsonl";
const cardFile = "CARD.md";

/** Gathers examples from every source, writes them for a trainer, and reads what was written as the trainer would. */
export async function exportSft(names: string[], options: SftOptions, bench: Bench): Promise<SftReport> {
	const { workspace, signal } = bench;
	const { models } = await openModels(bench, options);
	const gathering = { workspace, models, options, bench };
	const gathered: Gathered[] = [];
	for (const name of names)
		gathered.push(
			(await isRun(workspace, name)) ? await fromRun(name, gathering) : await fromBenchmark(name, gathering),
		);
	if (options.textOnly) for (const [at, one] of gathered.entries()) gathered[at] = withoutPictures(one);
	const examples = gathered.flatMap((one) => one.examples);
	const dropped = gathered.flatMap((one) => one.dropped);
	const usage = gathered.map((one) => one.usage).reduce(addUsage, noUsage);
	const { split, unverified = false, allow = [], evidence = "gold", model = null, perTask = 1 } = options;
	const { format = "llamafactory", textOnly = false, tuning, device = "gpu" } = options;
	const writer = trainingWriters[format];
	return replaceFolder(options.to, marker, async (folder) => {
		const { files, ...written } = await writer.write(examples, folder, { tuning, device, signal });
		await writeJsonl(join(folder, examplesFile), examples);
		await writeJsonl(join(folder, droppedFile), dropped);
		await writeWhole(join(folder, cardFile), sftCard(gathered));
		const preflight = await writer.reread(folder, { device, signal });
		const made = {
			...{ examples: examples.length, dropped: dropped.length, format },
			...{ files: [...files, examplesFile, droppedFile, cardFile], sources: gathered.map((one) => one.report) },
			...{ written, preflight, clean: isClean(preflight), usage },
		};
		const asked = { evidence, model, split: split ?? null, unverified, allow, perTask, textOnly, device };
		const hash = await sha256File(join(folder, examplesFile));
		await writeJson(join(folder, marker), { ...made, asked, hash, software: software(), at: new Date().toISOString() });
		return made;
	});
}

/** What a model of text can be shown. */
function withoutPictures({ examples, dropped, report, ...rest }: Gathered): Gathered {
	const [kept, pictured] = [examples.filter(isTextOnly), examples.filter((example) => !isTextOnly(example))];
	const all = [...dropped, ...pictured.map(({ task }) => ({ task, what: "pictures" }))];
	return {
		...rest,
		examples: kept,
		dropped: all,
		report: { ...report, examples: kept.length, dropped: countedBy(all) },
	};
}

const isTextOnly = ({ images }: Gathered["examples"][number]) => images.length === 0;

async function isRun(workspace: Workspace, name: string): Promise<boolean> {
	const { dir } = workspace;
	const run = (await exists(join(dir, "runs", name, "run.json"))) || (await exists(join(name, "run.json")));
	const benchmark = await exists(join(dir, "benchmarks", name, "benchmark.json"));
	if (!run && !benchmark && !(await exists(name))) return (await runMeant(workspace, name)) !== undefined;
	if (run && benchmark)
		throw usageError(
			"two-of-that-name",
			`"${name}" is a run and a benchmark`,
			"Give the folder of the one that is meant.",
		);
	return run;
}
