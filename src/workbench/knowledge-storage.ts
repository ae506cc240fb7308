import { usageError } from "#domain";
import { type StoredVersion, storedVersions } from "#knowledge";
import { isAddress, isStorage } from "#store";
import { rememberAddress } from "./addresses.ts";
import { locate } from "./locate.ts";
import type { Bench } from "./work.ts";

/** Puts a knowledge base of the workspace, as it is now, to an address of object storage. */
export async function pushKnowledge(name: string, address: string, bench: Bench): Promise<StoredVersion> {
	mustBeAddress(address);
	const { workspace, environment, signal } = bench;
	const dir = await locate(workspace, "knowledge", name);
	if (isAddress(dir)) throw usageError("bad-name", `${name} is in object storage already`, "Name one on this disk.");
	const progress = bench.progress("megabytes pushed");
	const { pushKnowledge: push } = await import("#knowledge");
	try {
		const onProgress = (done: number, total: number) =>
			progress.update(Math.round(done / 1e6), Math.round(total / 1e6));
		const made = await push(dir, address, { environment, signal, onProgress });
		await rememberAddress(workspace, address);
		return made;
	} finally {
		progress.end();
	}
}

/** The versions at an address; with `keep`, all but so many are removed. */
export async function knowledgeVersions(
	address: string,
	{ keep }: { keep?: number | undefined },
	{ environment }: Bench,
): Promise<{ versions: StoredVersion[]; removed: StoredVersion[] }> {
	mustBeAddress(address);
	return storedVersions(address, { environment, keep });
}

function mustBeAddress(text: string): void {
	if (!isStorage(text))
		throw usageError("bad-address", `"${text}" is no address of object storage`, "Write s3://BUCKET/PATH.");
}
