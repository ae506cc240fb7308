import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pathOnDisk } from "./disk-path.ts";

/** SHA-256, hex, of a text (as UTF-8) or of bytes. */
export function sha256(data: string | Uint8Array): string {
	return createHash("sha256").update(data).digest("hex");
}

/** SHA-256, hex, of a file, read in pieces. */
export async function sha256File(file: string): Promise<string> {
	const hash = hashing();
	for await (const chunk of createReadStream(pathOnDisk(file))) hash.update(chunk as Buffer);
	return hash.digest();
}

export function hashing(): { update(data: string | Uint8Array): void; digest(): string } {
	const hash = createHash("sha256");
	return { update: (data) => void hash.update(data), digest: () => hash.digest("hex") };
}

/** JSON with the keys of every object in order, so that equal values give equal text and equal hashes. */
export function canonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		inner !== null && typeof inner === "object" && !Array.isArray(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
			: inner,
	);
}
