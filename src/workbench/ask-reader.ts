import { setMaxListeners } from "node:events";
import { type DiagnosedRecord, outstandingReadings, readerJobs, readHops } from "#diagnosis";
import { addUsage, counted, noUsage, type SecondReading } from "#domain";
import { createAsker, sameModelIn } from "#scoring";
import { lockFolder, openAppender } from "#store";
import { openModels } from "./models.ts";
import type { OpenedRun } from "./open.ts";
import { readingsFile, readReadings } from "./reading-file.ts";
import { usageLine } from "./usage-line.ts";
import type { Bench } from "./work.ts";

export interface ReaderOptions {
	/** A judge's model that reads hops of which the rules cannot speak. */
	reader?: string | undefined;
	/** Hops of which the rules speak that it reads too. */
	readerSample?: number | undefined;
	maxCalls?: number | undefined;
	maxCost?: number | undefined;
	concurrency?: number | undefined;
	allowSameModel?: boolean | undefined;
	/** False: asks anew, and keeps no reply. */
	cache?: boolean | undefined;
	task?: string | undefined;
	replay?: boolean | undefined;
}

/** Asks a judge's model about hops, and keeps what it says in the run's folder. */
export async function askReader(
	{ run, diagnosed }: { run: OpenedRun; diagnosed: readonly DiagnosedRecord[] },
	{
		reader,
		readerSample = 60,
		concurrency = 8,
		maxCalls = Infinity,
		maxCost,
		allowSameModel,
		cache,
	}: ReaderOptions & {
		reader: string;
	},
	bench: Bench,
): Promise<{ readings: SecondReading[]; reader: string }> {
	const { models } = await openModels(bench, { cache: cache ?? true });
	const { signal } = bench;
	const asker = createAsker(models.open(reader, { needsPrice: maxCost !== undefined }));
	const sameModel = sameModelIn(run, asker, { allowSameModel }) !== undefined;
	const money = models.money(reader);
	// one listener for each call under way is no leak
	setMaxListeners(0, signal);
	const unlock = await lockFolder(run.dir, { makeFolder: false });
	try {
		const readings = await readReadings(run.dir, bench.say);
		const find = run.evidence;
		const { unobserved, sample, nothing } = await readerJobs(diagnosed, { sample: readerSample, find });
		for (const [reason, count] of Object.entries(nothing))
			bench.say(`${counted(count, "unobserved hop")} cannot be read: ${reason}`);
		// the sample first: without it nothing that a budget still pays for is believed
		const jobs = outstandingReadings([...sample, ...unobserved], { asker, known: readings });
		const progress = bench.progress(`${run.manifest.id} · second reader`);
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
			if (signal.aborted) bench.say("interrupted; the same command resumes");
			throw error;
		} finally {
			progress.end();
			await appender.close();
		}
		const again = "the same command resumes";
		if (refused !== undefined) bench.say(`stopped, since the reader answers no call: ${refused}; ${again}`);
		else if (failures.length > 0)
			bench.say(`${counted(failures.length, "reading")} failed, the last with: ${failures.at(-1)}; ${again}`);
		else if (done < jobs.length && isSpent()) bench.say(`the budget is spent; with a larger one ${again}`);
		const spent = usageLine(used, money);
		bench.say(`the reader was asked about ${counted(done, "hop")}${spent === "" ? "" : `: ${spent}`}`);
		return { readings, reader: asker.id };
	} finally {
		await unlock();
	}
}
