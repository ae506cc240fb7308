import { basename, dirname, join, resolve } from "node:path";

/** Beside a corpus: what was read of its sources, kept beyond the reading. */
export const readingFolder = (corpus: string) =>
	join(dirname(resolve(corpus)), `.${basename(resolve(corpus))}.reading`);

/** In it, what its readers on other machines see that it is the same folder by. */
export const nonceFile = (dir: string) => join(dir, "readers");
