import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** All temporary files of one run of the tests lie in one folder, which goes with it, whatever a test leaves behind. */
export function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), "hopscope-tests-"));
	process.env.TMPDIR = folder;
	return () => rmSync(folder, { recursive: true, force: true });
}
