import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { RunManifest } from "./manifest.ts";

/** A file or folder of the package by its path there: `src/ROOM/` and each built folder lie two levels below it. */
export const packageFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let ownVersion: string | undefined;

/** The versions of the programs that a run depends on. */
export function software(): RunManifest["software"] {
	const text = () => readFileSync(packageFile("package.json"), "utf8");
	ownVersion ??= z.object({ version: z.string() }).parse(JSON.parse(text())).version;
	return { hopscope: ownVersion, node: process.versions.node };
}
