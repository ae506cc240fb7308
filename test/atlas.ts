import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lockedFolder, type Workspace } from "#store";
import { openWorkbench } from "#workbench";

/** Where the sample stands: a workspace with the corpus, knowledge base and benchmark called `atlas`. */
export interface AtlasFixture {
	workspace: Workspace;
	corpus: string;
	knowledge: string;
	benchmark: string;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const place = join(root, "node_modules", ".cache", "hopscope-atlas");

/**
 * The sample, indexed once for each state of the code that indexes it and kept under node_modules/.cache; test files
 * that run at the same time wait for the one that does. Read only: a test that writes copies first.
 */
export function atlasFixture(): Promise<AtlasFixture> {
	return lockedFolder(place, async () => {
		const stamp = join(place, "code.txt");
		const code = hashCode();
		const force = (await readFile(stamp, "utf8").catch(() => "")) !== code;
		const bench = openWorkbench(place);
		const { corpus, knowledge, benchmark } = await bench.openSample({ force });
		if (force) await writeFile(stamp, code);
		return { workspace: bench.workspace, corpus, knowledge, benchmark };
	});
}

/** SHA-256 of the sources that decide what an index holds. */
function hashCode(): string {
	const sum = createHash("sha256");
	for (const room of ["corpus", "domain", "encoders", "knowledge", "store"])
		for (const name of readdirSync(join(root, "src", room), { recursive: true })
			.map(String)
			.sort())
			if (name.endsWith(".ts")) sum.update(name).update(readFileSync(join(root, "src", room, name)));
	return sum.digest("hex");
}
