import { exitCodes } from "#domain";
import type { RunEnded } from "#workbench";

/** For the person watching: what failed most, why the run ended, and the command that resumes it. */
export function endingLines(ended: RunEnded, again: string): string[] {
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
			return [`interrupted; go on with: ${again}`];
		case "budget":
			return [`the budget of ${ended.budget} is spent; go on with a larger one: ${again} --max-${ended.budget} …`];
		case "refused":
			return [`stopped, since task after task failed: ${ended.cause}; when that is mended, go on with: ${again}`];
		case "complete":
			return ended.errors > 0 ? [`try them again with: ${again}`] : [];
	}
}

export function exitCodeOf({ reason, errors, done }: RunEnded): number {
	if (reason === "interrupted") return exitCodes.interrupted;
	return reason === "refused" || (errors > 0 && done === 0) ? exitCodes.failed : exitCodes.done;
}
