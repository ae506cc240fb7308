import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for the time of some work; it goes with it, whether it succeeded or failed. */
export async function inTemporaryFolder<Result>(name: string, use: (dir: string) => Promise<Result>): Promise<Result> {
	const dir = await mkdtemp(join(tmpdir(), `hopscope-${name}-`));
	try {
		return await use(dir);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}
