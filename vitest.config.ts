import { defineConfig } from "vitest/config";

const long = process.env.HOPSCOPE_LONG_TESTS === "1";

export default defineConfig({
	test: {
		include: ["{src,test,examples}/**/*.test.ts", ...(long ? ["test/**/*.long.ts"] : [])],
		globalSetup: "test/temporary-folder.ts",
		setupFiles: "test/property-seed.ts",
		// against hanging alone: how long a test takes says how busy the machine is
		testTimeout: 300_000,
		hookTimeout: 600_000,
		expect: { poll: { timeout: 60_000 } },
		// two cores are what a small machine has; native threads of the index engine share them
		maxWorkers: 2,
		// a worker keeps what it has loaded: loading the rooms anew for each file took a third of all time
		isolate: false,
	},
});
