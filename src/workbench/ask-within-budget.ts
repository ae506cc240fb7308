import { setMaxListeners } from "node:events";
import { addUsage, counted, noUsage, sentCalls, type Usage } from "#domain";
import { openAppender } from "#store";
import type { Models } from "./models.ts";
import { type Money, usageLine } from "./usage-line.ts";
import type { Bench } from "./work.ts";

/**
 * Whether a budget is spent, with what is held back for as many questions as are under way: a call each, or what they took
 * so far.
 */
export function isSpent(
	{ maxCalls = Infinity, maxCost = Infinity }: { maxCalls?: number | undefined; maxCost?: number | undefined },
	soFar: () => { used: Usage; done: number },
): (running: number) => boolean {
	return (running) => {
		const { used, done } = soFar();
		const sent = sentCalls(used);
		const { cost = 0 } = used;
		const share = running / Math.max(1, done);
		return sent + (done === 0 ? running : sent * share) >= maxCalls || cost * (1 + share) >= maxCost;
	};
}

interface Asking<Answer> {
	/** What is being done, as progress names it, and how many answers are wanted. */
	work: string;
	total: number;
	/** Where answers are kept, each before the next is counted. */
	file: string;
	/** Why an answer is none: the model failed. */
	failureOf(answer: Answer): string | undefined;
	/** Who is asked, and what one answer is called. */
	who: string;
	noun: string;
	models: Models;
	money: Money;
	maxCalls?: number | undefined;
	maxCost?: number | undefined;
}

/**
 * Lets `ask` put questions to a judge's model until its budget is spent, keeps what it says and tells how far it is. Given
 * again, it is asked for what is left. `refused` is why the model answered nobody.
 */
export async function askWithinBudget<Answer extends { usage: Usage }>(
	ask: (asked: {
		until(running: number): boolean;
		keep(answer: Answer): Promise<void>;
	}) => Promise<{ refused?: string }>,
	{ work, total, file, failureOf, who, noun, models, money, maxCalls = Infinity, maxCost = Infinity }: Asking<Answer>,
	bench: Bench,
): Promise<{ refused: string | undefined; done: number; used: Usage }> {
	// one listener for each call under way is no leak
	setMaxListeners(0, bench.signal);
	const progress = bench.progress(work);
	const appender = await openAppender(file);
	const failures: string[] = [];
	let done = 0;
	let used = noUsage;
	let refused: string | undefined;
	const until = isSpent({ maxCalls, maxCost }, () => ({ used, done }));
	const keep = async (answer: Answer) => {
		await appender.append(answer);
		done += 1;
		used = addUsage(used, answer.usage);
		failures.push(...[failureOf(answer) ?? []].flat());
		const failed = failures.length > 0 ? counted(failures.length, "error") : "";
		progress.update(done, total, [failed, usageLine(used, money), models.pace()].filter(Boolean).join(", "));
	};
	try {
		({ refused } = await ask({ until, keep }));
	} catch (error) {
		if (bench.signal.aborted) bench.say("interrupted; the same command resumes");
		throw error;
	} finally {
		progress.end();
		await appender.close();
	}
	const again = "the same command resumes";
	if (refused !== undefined) bench.say(`stopped, since ${who} answers no call: ${refused}; ${again}`);
	else if (failures.length > 0)
		bench.say(`${counted(failures.length, noun)} failed, the last with: ${failures.at(-1)}; ${again}`);
	else if (done < total && until(0)) bench.say(`the budget is spent; with a larger one ${again}`);
	return { refused, done, used };
}
