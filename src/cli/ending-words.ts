import { exitCodes } from "#domain";
import type { RunEnded } from "#workbench";
import type { Context } from "./context.ts";

/** Tells how runs ended, behind their tables: what failed most, why a run stopped, and the command that resumes it. */
export function sayEndings(
	{ output }: Pick<Context, "output">,
	ended: readonly RunEnded[],
	again: (ended: RunEnded) => string,
): void {
	for (const one of ended)
		for (const line of endingLines(one, again(one))) output.say(ended.length > 1 ? `${one.run}: ${line}` : line);
}

function endingLines(ended: RunEnded, again: string): string[] {
	const { errors, overflown, commonest } = ended;
	const endings = [
		...(errors > 0 ? [`${errors} ended with an error`] : []),
		...(overflown > 0 ? [`${overflown} ended with the context full`] : []),
	];
	const failures = commonest
		? [
				`${endings.join(", ")}, ${commonest.count === errors + overflown ? "all" : commonest.count} of them: ${commonest.message}`,
			]
		: [];
	return [...failures, ...onward(ended, again)];
}

function onward(ended: RunEnded, again: string): string[] {
	switch (ended.reason) {
		case "interrupted":
			return [`interrupted; resume with: ${again}`];
		case "budget":
			return [`the budget of ${ended.budget} is spent; resume with a larger one: ${again} --max-${ended.budget} …`];
		case "refused":
			return [`stopped, since task after task failed: ${ended.cause}; when that is mended, resume with: ${again}`];
		case "unseen":
			return [
				`the program reports no ${ended.budget}, so a budget of them cannot be kept: let it report its usage (docs/agents.md), or resume without the budget: ${again}`,
			];
		case "errors":
			return [`try them again with: ${again}`];
		case "complete":
			return [];
	}
}

export function exitCodeOf({ reason, errors, done }: RunEnded): number {
	if (reason === "interrupted") return exitCodes.interrupted;
	if (reason === "refused" || reason === "unseen" || (errors > 0 && done === 0)) return exitCodes.failed;
	return errors > 0 ? exitCodes.someFailed : exitCodes.done;
}

const gravest = [exitCodes.interrupted, exitCodes.failed, exitCodes.someFailed];

/** The exit code of several runs: that of the one that went worst. */
export const exitCodeOfAll = (ended: readonly RunEnded[]): number => {
	const codes = ended.map(exitCodeOf);
	return gravest.find((code) => codes.includes(code)) ?? exitCodes.done;
};
