import { readFileSync } from "node:fs";
import { z } from "zod";
import type { RunManifest } from "./manifest.ts";

let ownVersion: string | undefined;

/** The versions of the programs that a run depends on. */
export function software(): RunManifest["software"] {
	// the same distance from the sources and from the built files
	const file = new URL("../../package.json", import.meta.url);
	ownVersion ??= z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
	return { hopscope: ownVersion, node: process.versions.node };
}
