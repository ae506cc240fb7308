import { describe, type SuiteFactory, TestRunner, type test } from "vitest";

/** Whether this is `npm run test:long`: long tests run, and tests tagged "longer" draw more. */
export const isLong = process.env.HOPSCOPE_LONG_TESTS === "1";

/** A test that takes long: `npm test` shows it as skipped. docs/tests.md lists these and the reason of each. */
export const longTest = TestRunner.createTaskCollector(function (
	this: ThisParameterType<typeof test.fn>,
	name,
	first,
	second,
) {
	const [options, run] = typeof first === "function" ? [{ timeout: second }, first] : [first, second];
	TestRunner.getCurrentSuite().test.fn.call(this, name, { ...options, tags: "long" }, run);
}) as typeof test;

/** The same for all tests of a group; the hooks of the group do not run either. */
export const longDescribe = Object.assign(
	(name: string, tests: SuiteFactory) => describe(name, { tags: "long" }, tests),
	{ skipIf: (isSkipped: boolean) => (isSkipped ? describe.skip : longDescribe) },
);

/** Whether draws go further than the long tests' own: `npm run test:long -- --explore`, or `--seed N`. */
export const isExploring = isLong && process.env.HOPSCOPE_PROPERTY_SEED !== undefined;
