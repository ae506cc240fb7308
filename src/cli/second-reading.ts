import { setMaxListeners } from "node:events";
import type { Command } from "commander";
import {
	type DiagnosedRecord,
	diagnoseRecords,
	outstandingReadings,
	readerJobs,
	readerPrompt,
	readHops,
	withReadings,
} from "#diagnosis";
import { addUsage, exitCodes, HopscopeError, noUsage, type SecondReading } from "#domain";
import { createAsker, sameModelIn } from "#scoring";
import { lockFolder, openAppender, openWorkspace } from "#store";
import { readConfiguration } from "./configuration.ts";
import { type CommonOptions, type Context, counted, numberFrom, wholeNumber } from "./context.ts";
import { createModels } from "./models.ts";
import type { OpenedRun } from "./open.ts";
import { createProgress } from "./progress.ts";
import { readingsFile, readReadings, withKnownReadings } from "./reading-file.ts";
import { usageLine } from "./run-agent.ts";

export interface ReaderOptions extends Pick<CommonOptions, "workspace"> {
	/** A judge's model that reads hops of which the rules cannot speak. */
	reader?: string | undefined;
	/** Hops of which the rules speak that it reads too. */
	readerSample: number;
	maxCalls?: number | undefined;
	maxCost?: number | undefined;
	concurrency: number;
	allowSameModel?: boolean | undefined;
	/** False: asks anew, and keeps no reply. */
	cache?: boolean | undefined;
	task?: string | undefined;
	replay?: boolean | undefined;
}

/** The options of a second reader. */
export function withReader(command: Command): Command {
	return command
		.option(
			"--reader <model>",
			"a judge's model reads the hops whose reading nothing shows; another model than the run's",
		)
		.option(
			"--reader-sample <n>",
			"with --reader: hops that the rules judge which it reads too",
			wholeNumber(0, 1e5),
			60,
		)
		.option("--concurrency <n>", "with --reader: calls at the same time", wholeNumber(1, 1024), 8)
		.option(
			"--max-calls <n>",
			"with --reader: begin no hop after so many model calls of this sitting",
			wholeNumber(1, 1e9),
		)
		.option("--max-cost <money>", "with --reader: begin no hop after so much money of this sitting", numberFrom(0, 1e9))
		.option("--allow-same-model", "with --reader: let a model read its own answers; the readings are marked")
		.option("--no-cache", "with --reader: ask anew for replies that are kept, and keep none");
}

type Opened = { run: OpenedRun; diagnosed: readonly DiagnosedRecord[] };

/**
 * Puts what a second reader says into a run's diagnoses: the one that is named, which is asked for what it has not said yet,
 * else the last that read the run. Its readings are kept in the run's folder. `run` is given the diagnoses and the report.
 */
export async function secondReading(
	{ run, diagnosed }: Opened,
	options: ReaderOptions,
	context: Context,
): Promise<DiagnosedRecord[]> {
	mustFit(options);
	const { say } = context.output;
	const { tasks } = run;
	let joined: Awaited<ReturnType<typeof withKnownReadings>>;
	if (options.reader === undefined) {
		// what a reader is to be believed is told by the whole run
		const others = options.task === undefined ? [] : await othersRead({ run, diagnosed }, context);
		const all = [...diagnosed, ...others].map(({ diagnosis }) => diagnosis);
		joined = await withKnownReadings(all, { dir: run.dir, tasks, say });
	} else {
		const { readings, reader } = await askReader({ run, diagnosed }, { ...options, reader: options.reader }, context);
		const diagnoses = diagnosed.map(({ diagnosis }) => diagnosis);
		const read = withReadings(diagnoses, { readings, tasks, reader: { model: reader, prompt: readerPrompt } });
		joined = read ? { diagnoses: read.diagnoses, reader: read.told } : { diagnoses };
	}
	const found = diagnosed.map((one, at) => ({ ...one, diagnosis: joined.diagnoses[at] ?? one.diagnosis }));
	run.diagnoses = found.map(({ diagnosis }) => diagnosis);
	run.reader = joined.reader;
	return found;
}

function mustFit({ reader, task, replay, maxCost, maxCalls, allowSameModel }: ReaderOptions): void {
	const refuse = (message: string, remedy: string) => {
		throw new HopscopeError("usage", message, remedy, { exitCode: exitCodes.usage });
	};
	const alone = [
		maxCost !== undefined && "--max-cost",
		maxCalls !== undefined && "--max-calls",
		allowSameModel && "--allow-same-model",
	].filter(Boolean);
	if (reader === undefined && alone.length > 0)
		refuse(`${alone.join(", ")} is for a second reader`, "Add --reader MODEL.");
	if (reader !== undefined && (task !== undefined || replay))
		refuse("a second reader reads the whole run", "Leave out --reader, or --task and --replay.");
}

/** The records of other tasks that a second reader has read, diagnosed. */
async function othersRead({ run, diagnosed }: Opened, { output, signal }: Context): Promise<DiagnosedRecord[]> {
	const read = new Set((await readReadings(run.dir, output.say).catch(() => [])).map(({ task }) => task));
	const here = new Set(diagnosed.map(({ task }) => task.id));
	const others = run.records.filter(({ task }) => read.has(task) && !here.has(task));
	return others.length === 0 ? [] : diagnoseRecords(run, { of: others, signal });
}

async function askReader(
	{ run, diagnosed }: Opened,
	{
		reader,
		readerSample,
		concurrency,
		maxCalls = Infinity,
		maxCost,
		allowSameModel,
		cache,
		...options
	}: ReaderOptions & {
		reader: string;
	},
	{ output, signal }: Context,
): Promise<{ readings: SecondReading[]; reader: string }> {
	const workspace = openWorkspace(options.workspace);
	const configuration = await readConfiguration(workspace);
	const models = createModels(workspace, { configuration, options: { cache: cache ?? true }, say: output.say });
	const asker = createAsker(models.open(reader, { needsPrice: maxCost !== undefined }));
	const sameModel = sameModelIn(run, asker, { allowSameModel }) !== undefined;
	const money = models.money(reader);
	// one listener for each call under way is no leak
	if (signal) setMaxListeners(0, signal);
	const unlock = await lockFolder(run.dir);
	try {
		const readings = await readReadings(run.dir, output.say);
		const find = run.evidence;
		const { unobserved, sample, nothing } = await readerJobs(diagnosed, { sample: readerSample, find });
		for (const [reason, count] of Object.entries(nothing))
			output.say(`${counted(count, "unobserved hop")} cannot be read: ${reason}`);
		// the sample first: without it nothing that a budget still pays for is believed
		const jobs = outstandingReadings([...sample, ...unobserved], { asker, known: readings });
		const progress = createProgress(output, `${run.manifest.id} · second reader`);
		const appender = await openAppender(readingsFile(run.dir));
		let done = 0;
		let used = noUsage;
		const isSpent = () => used.calls - (used.kept ?? 0) >= maxCalls || (used.cost ?? 0) >= (maxCost ?? Infinity);
		const failures: string[] = [];
		let refused: string | undefined;
		try {
			({ refused } = await readHops(jobs, {
				...{ asker, find, sameModel, concurrency, signal },
				until: isSpent,
				async keep(reading) {
					await appender.append(reading);
					readings.push(reading);
					done += 1;
					used = addUsage(used, reading.usage);
					if (reading.outcome.is === "model") failures.push(reading.outcome.reason);
					const failed = failures.length > 0 ? counted(failures.length, "error") : "";
					progress.update(
						done,
						jobs.length,
						[failed, usageLine(used, money), models.pace()].filter(Boolean).join(", "),
					);
				},
			}));
		} catch (error) {
			if (signal?.aborted) output.say("interrupted; the same command goes on");
			throw error;
		} finally {
			progress.end();
			await appender.close();
		}
		const again = "the same command goes on";
		if (refused !== undefined) output.say(`stopped, since the reader answers no call: ${refused}; ${again}`);
		else if (failures.length > 0)
			output.say(`${counted(failures.length, "reading")} failed, the last with: ${failures.at(-1)}; ${again}`);
		else if (done < jobs.length && isSpent()) output.say(`the budget is spent; with a larger one ${again}`);
		const spent = usageLine(used, money);
		output.say(`the reader was asked about ${counted(done, "hop")}${spent === "" ? "" : `: ${spent}`}`);
		return { readings, reader: asker.id };
	} finally {
		await unlock();
	}
}
