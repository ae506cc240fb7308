import type { NumberKind } from "#domain";

/** Kinds of numbers that are right only exactly, whatever tolerance or range stands beside them. */
export const exactKinds: ReadonlySet<NumberKind> = new Set(["count", "year", "ordinal", "identifier"]);
