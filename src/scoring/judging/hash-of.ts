import { createHash } from "node:crypto";

/** SHA-256, hex, of any JSON: names prompts, and draws orders that a seed repeats. */
export const hashOf = (parts: unknown): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");
