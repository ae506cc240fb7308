import { readFileSync } from "node:fs";

/** The package's version, from the manifest that ships with it. */
export const version: string = (
	JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;
