import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { prepareAtlas } from "#atlas";
import { openWorkspace, type Workspace } from "#store";

/** Where the built sample stands: a workspace with the corpus, knowledge base and benchmark called `atlas`. */
export interface AtlasFixture {
	workspace: Workspace;
	corpus: string;
	knowledge: string;
	benchmark: string;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const place = join(root, "node_modules", ".cache", "hopscope-atlas");

/**
 * The sample, made once for each state of the code that makes it and kept under node_modules/.cache; test files that
 * run at the same time wait for the one that makes it. Read only: a test that writes copies first.
 */
export async function atlasFixture(): Promise<AtlasFixture> {
	await mkdir(place, { recursive: true });
	const lock = join(place, "making.lock");
	while (!(await take(lock))) await wait(100);
	try {
		const workspace = openWorkspace(place);
		const { corpus, knowledge, benchmark } = await prepareAtlas(workspace);
		return { workspace, corpus, knowledge, benchmark };
	} finally {
		await rm(lock, { force: true });
	}
}

/** Takes the lock file; that of a process which is gone is removed. */
async function take(lock: string): Promise<boolean> {
	try {
		await writeFile(lock, String(process.pid), { flag: "wx" });
		return true;
	} catch {
		const owner = Number(await readFile(lock, "utf8").catch(() => ""));
		if (owner > 0 && !isAlive(owner)) await rm(lock, { force: true });
		return false;
	}
}

function isAlive(id: number): boolean {
	try {
		process.kill(id, 0);
		return true;
	} catch {
		return false;
	}
}
