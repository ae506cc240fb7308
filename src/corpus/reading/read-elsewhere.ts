import { setTimeout as delay } from "node:timers/promises";
import type { Plan } from "../reader.ts";
import { type Budget, earn, type ReadingLimits } from "./limits.ts";
import { createReadingPool, ReaderDied, type ReadingPool, type TaskLimits } from "./process-pool.ts";
import { type ReadingPlace, reportOf } from "./read-unit.ts";
import type { AnnouncedReading, ReadingJob, ReadingOutcome } from "./reading-job.ts";
import type { ReadingTask, TaskValue } from "./reading-task.ts";

/** Those who read on other machines. */
export interface ReadersElsewhere {
	/** What came of a job; undefined where it was interrupted. */
	ask(job: ReadingJob): Promise<ReadingOutcome | undefined>;
	close(): Promise<void>;
}
export type OpenReadersElsewhere = (about: Omit<AnnouncedReading, "name">) => Promise<ReadersElsewhere>;

/** Jobs that are under way at once: as many processes can read. */
const mostAtOnce = 128;
/** Milliseconds until what was written on another machine must be seen on this one: network file systems take their time. */
const untilSeen = 60_000;

/**
 * A pool whose processes are on other machines. What cannot be read there, or is not found where it should be then, is
 * read here: the corpus is the same whoever reads.
 */
export function poolElsewhere(
	readers: ReadersElsewhere,
	{ place, signal, onNote }: { place: ReadingPlace; signal?: AbortSignal | undefined; onNote(note: string): void },
): ReadingPool {
	const here = createReadingPool(signal);
	const told = new Set<string>();
	const readHere = <T extends ReadingTask>(task: T, limits: TaskLimits, why: string) => {
		if (told.size < 20 && !told.has(why)) onNote(`${why}; read here instead`);
		told.add(why);
		return here.run(task, limits);
	};
	return {
		size: mostAtOnce,
		async run<T extends ReadingTask>(task: T, limits: TaskLimits): Promise<TaskValue<T>> {
			signal?.throwIfAborted();
			const outcome = await readers.ask(jobOf(task, limits));
			if (!outcome) {
				signal?.throwIfAborted();
				throw new DOMException("The reading was interrupted", "AbortError");
			}
			if (limits.budget) count(limits.budget, outcome, place.limits);
			const { is: what } = outcome;
			switch (what.is) {
				case "planned": {
					const { is: _, ...plan } = what;
					return plan as Plan as TaskValue<T>;
				}
				case "read": {
					const report = task.do === "read" ? await seen(place, task.unit.key, signal) : undefined;
					return (report ??
						(await readHere(task, limits, `what was read elsewhere is not in ${place.dir}`))) as TaskValue<T>;
				}
				case "died":
					throw new ReaderDied(what.reason, {
						overBudget: what.overBudget,
						...(what.point ? { point: pointOf(what.point) } : {}),
					});
				case "problem":
					throw new Error(what.message);
				case "unable":
					return readHere(task, limits, what.reason);
			}
		},
		async close() {
			await here.close();
			await readers.close();
		},
	};
}

function jobOf(task: ReadingTask, { ms, limits, budget }: TaskLimits): ReadingJob {
	const { spent, allowed, earned } = budget ?? {};
	const bounds = {
		ms,
		...(limits ? { limits } : {}),
		...(spent !== undefined && allowed !== undefined && earned
			? { budget: { spent, allowed, earned: [...earned] } }
			: {}),
	};
	if (task.do === "plan") return { ...task, ...bounds } as ReadingJob;
	const { place: _, ...rest } = task;
	return { ...rest, ...bounds };
}

/** A document's parts are read at once, each with what was known of its time when it was sent; here it is summed. */
function count(budget: Budget, { spent = 0, earned = [] }: ReadingOutcome, limits: ReadingLimits): void {
	budget.spent += spent;
	for (const key of earned) {
		const [page, recognised] = key.split(" ");
		earn(budget, { file: 0, page: Number(page), recognised: recognised !== undefined }, limits);
	}
}

const pointOf = ({ file, page, recognised }: NonNullable<ReaderDied["point"]> | PointSaid) => ({
	file,
	...(page === undefined ? {} : { page }),
	...(recognised === undefined ? {} : { recognised }),
});
type PointSaid = { file: number; page?: number | undefined; recognised?: boolean | undefined };

async function seen(place: ReadingPlace, key: string, signal: AbortSignal | undefined) {
	for (const until = performance.now() + untilSeen; ; ) {
		const report = await reportOf(place, key);
		if (report || performance.now() > until) return report;
		await delay(500, undefined, signal ? { signal } : {});
	}
}
