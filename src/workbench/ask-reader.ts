import { type DiagnosedRecord, outstandingReadings, readerJobs, readHops } from "#diagnosis";
import { counted, type SecondReading } from "#domain";
import { createAsker, sameModelIn } from "#scoring";
import { lockFolder } from "#store";
import { askWithinBudget } from "./ask-within-budget.ts";
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
		maxCalls,
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
	const unlock = await lockFolder(run.dir, { makeFolder: false });
	try {
		const readings = await readReadings(run.dir, bench.say);
		const find = run.evidence;
		const { unobserved, sample, nothing } = await readerJobs(diagnosed, { sample: readerSample, find });
		for (const [reason, count] of Object.entries(nothing))
			bench.say(`${counted(count, "unobserved hop")} cannot be read: ${reason}`);
		// the sample first: without it nothing that a budget still pays for is believed
		const jobs = outstandingReadings([...sample, ...unobserved], { asker, known: readings });
		const { done, used } = await askWithinBudget<SecondReading>(
			({ until, keep }) =>
				readHops(jobs, {
					...{ asker, find, sameModel, concurrency, signal, until },
					async keep(reading) {
						await keep(reading);
						readings.push(reading);
					},
				}),
			{
				...{ models, money, maxCalls, maxCost, who: "the reader", noun: "reading", total: jobs.length },
				work: `${run.manifest.id} · second reader`,
				file: readingsFile(run.dir),
				failureOf: ({ outcome }) => (outcome.is === "model" ? outcome.reason : undefined),
			},
			bench,
		);
		const spent = usageLine(used, money);
		bench.say(`the reader was asked about ${counted(done, "hop")}${spent === "" ? "" : `: ${spent}`}`);
		return { readings, reader: asker.id };
	} finally {
		await unlock();
	}
}
