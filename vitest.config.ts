import { readFileSync } from "node:fs";
import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

const long = process.env.HOPSCOPE_LONG_TESTS === "1";

export default defineConfig({
	// `hopscope` and `#room` are the sources; the condition has a name of ours, since bundlers of users set "development"
	ssr: { resolve: { conditions: ["hopscope-source", ...defaultServerConditions] } },
	plugins: [
		{
			name: "hopscope-module-cache",
			// what is kept holds imports resolved through the map in the package file, which Vitest does not look at
			configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) =>
				defineKey(() => readFileSync("package.json", "utf8")),
		},
	],
	test: {
		include: ["{src,studio/src,test,examples,bench/sample}/**/*.test.ts", ...(long ? ["test/**/*.long.ts"] : [])],
		globalSetup: "test/temporary-folder.ts",
		setupFiles: "test/property-seed.ts",
		// against hanging alone: how long a test takes says how busy the machine is
		testTimeout: long ? 1_200_000 : 300_000,
		hookTimeout: 600_000,
		expect: { poll: { timeout: 60_000 } },
		// two cores are what a small machine has, and a third worker uses them while others wait for a server or a program
		maxWorkers: 3,
		// a worker keeps what it has loaded: loading the rooms anew for each file took a third of all time
		isolate: false,
		// modules made into JavaScript are kept from run to run, by their content, below node_modules
		experimental: { fsModuleCache: true },
	},
});
