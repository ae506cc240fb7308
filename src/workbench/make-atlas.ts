import { prepareAtlas } from "#atlas";
import type { Bench } from "./work.ts";

/** Makes the sample, a knowledge base and its benchmark, where it is not there already. */
export async function makeAtlas(
	{ force = false, seed }: { force?: boolean | undefined; seed?: number | undefined },
	bench: Bench,
) {
	const progress = bench.stages("atlas");
	const atlas = await prepareAtlas(bench.workspace, {
		force,
		...(seed === undefined ? {} : { seed }),
		signal: bench.signal,
		onProgress: progress.update,
	});
	progress.end();
	return atlas;
}
