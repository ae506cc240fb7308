import { usageError } from "#domain";
import { canonicalJson, sha256 } from "#store";

/** Whatever the vectors depend on, as one short name. */
export const versionOf = (parts: object) => sha256(canonicalJson(parts)).slice(0, 16);

/** Cutting vectors of a model that was not trained for it loses much, silently. */
export function checkShortening(
	wanted: number | undefined,
	{ known, shortens, row }: { known: number | undefined; shortens: boolean | undefined; row: string },
): void {
	if (wanted === undefined || shortens || row === "own" || row === "plain" || wanted === known) return;
	throw usageError(
		"cannot-shorten",
		`models of the kind "${row}" have vectors that cannot be cut to ${wanted} dimensions`,
		"Leave dimensions out, or use a model that was trained for it (Qwen3-Embedding, text-embedding-3, …).",
	);
}
