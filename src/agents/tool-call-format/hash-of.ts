import { createHash } from "node:crypto";

/** SHA-256 of fixed words that a model reads: what an agent's `promptHash` is. */
export const hashOf = (words: unknown): string => createHash("sha256").update(JSON.stringify(words)).digest("hex");
