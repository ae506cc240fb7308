import { openWorkspace } from "#store";
import type { Bench } from "#workbench";

/** What the application's functions work with, telling only `say`. */
export function benchOn(
	folder: string,
	{
		say = () => undefined,
		signal = new AbortController().signal,
	}: { say?: ((message: string) => void) | undefined; signal?: AbortSignal | undefined } = {},
): Bench {
	const progress = { update: () => undefined, end: () => undefined };
	return {
		workspace: openWorkspace(folder),
		environment: process.env,
		signal,
		emit: () => undefined,
		say,
		progress: () => progress,
		stages: () => progress,
	};
}
