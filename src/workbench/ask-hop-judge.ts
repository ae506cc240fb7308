import { hopJobs, hopJudgePrompt, judgeHops, outstandingHops, type ReaderStamp, type ReadRecord } from "#diagnosis";
import { counted, type Evidence, PseudoHopReading } from "#domain";
import { createAsker, sameModelIn } from "#scoring";
import { lockFolder, readAllJsonl } from "#store";
import { askWithinBudget } from "./ask-within-budget.ts";
import { type HopJudgeOptions, hopReadingsFile } from "./hop-readings-file.ts";
import { openModels } from "./models.ts";
import type { OpenedRun } from "./open.ts";
import { usageLine } from "./usage-line.ts";
import type { Bench } from "./work.ts";

/** Asks a judge's model about pseudo-hops, and keeps what it says in the run's folder. */
export async function askHopJudge(
	{
		run,
		read,
		find,
	}: {
		run: Pick<OpenedRun, "dir" | "manifest" | "records">;
		read: readonly ReadRecord[];
		find(id: string): Promise<Evidence | undefined>;
	},
	options: HopJudgeOptions & { reader: string },
	bench: Bench,
): Promise<{ readings: PseudoHopReading[]; judge: ReaderStamp }> {
	const { reader, concurrency = 8, maxCalls, maxCost, allowSameModel, cache = true } = options;
	const { models } = await openModels(bench, { cache });
	const { signal } = bench;
	const asker = createAsker(models.open(reader, { needsPrice: maxCost !== undefined }));
	const sameModel = sameModelIn(run, asker, { allowSameModel }) !== undefined;
	const money = models.money(reader);
	const file = hopReadingsFile(run.dir);
	const unlock = await lockFolder(run.dir, { makeFolder: false });
	try {
		const readings = await readAllJsonl(file, PseudoHopReading, { ifThere: true, onTorn: bench.say });
		const { jobs, nothing } = await hopJobs(read, { find });
		for (const [reason, count] of Object.entries(nothing))
			bench.say(`of ${counted(count, "pseudo-hop")} nothing is asked: ${reason}`);
		const open = outstandingHops(jobs, { asker, known: readings });
		const { done, used } = await askWithinBudget<PseudoHopReading>(
			({ until, keep }) =>
				judgeHops(open, {
					...{ asker, sameModel, concurrency, signal, until },
					async keep(reading) {
						await keep(reading);
						readings.push(reading);
					},
				}),
			{
				...{ models, money, maxCalls, maxCost, who: "the judge", noun: "reading", total: open.length, file },
				work: `${run.manifest.id} · judge of pseudo-hops`,
				failureOf: ({ outcome }) => (outcome.is === "model" ? outcome.reason : undefined),
			},
			bench,
		);
		const spent = usageLine(used, money);
		bench.say(`the judge was asked about ${counted(done, "pseudo-hop")}${spent === "" ? "" : `: ${spent}`}`);
		return { readings, judge: { model: asker.id, prompt: hopJudgePrompt } };
	} finally {
		await unlock();
	}
}
