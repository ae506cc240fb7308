import { describe, test } from "vitest";

/** Whether this is `npm run test:long`: what is marked long runs, and drawn tests draw more. */
export const isLong = process.env.HOPSCOPE_LONG_TESTS === "1";

/** A test that takes long: skipped, visibly, by `npm test`. docs/tests.md says which these are and why. */
export const longTest = test.runIf(isLong) as typeof test;

/** The same for all tests of a group; what the group prepares is not made either. */
export const longDescribe = describe.runIf(isLong) as typeof describe;

/** Whether draws are to go further than the long tests' own: `npm run test:long -- --explore`, or `--seed N`. */
export const isExploring = isLong && process.env.HOPSCOPE_PROPERTY_SEED !== undefined;
