import type { Mark } from "../../../src/studio/pages.ts";

/** The form of a mark, which needs no colour: circles are sound, squares broken, the first of them filled, dotted is unsaid. */
export type Shape = "ok" | "bad" | "first" | "dim";

export const shapeOf = (tone: Mark["tone"], first: boolean): Shape => (first && tone === "bad" ? "first" : tone);
