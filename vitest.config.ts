import { readFileSync } from "node:fs";
import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import { findLongFiles } from "./test/long-files.ts";

const isLong = process.env.HOPSCOPE_LONG_TESTS === "1";
// the usual tests draw too: exploring goes through all
const isExploring = process.env.HOPSCOPE_PROPERTY_SEED !== undefined;
const usual = "{src,studio/src,test,examples,bench/sample}/**/*.test.ts";

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
		include: !isLong ? [usual] : isExploring ? [usual, "test/**/*.long.ts"] : findLongFiles(),
		tags: [
			{ name: "long", description: "runs in `npm run test:long` only" },
			{ name: "longer", description: "runs in `npm test`, and with more draws or trials in `npm run test:long`" },
		],
		tagsFilter: !isLong ? ["!long"] : isExploring ? [] : ["long || longer"],
		globalSetup: "test/temporary-folder.ts",
		setupFiles: "test/property-seed.ts",
		// against hanging alone: how long a test takes says how busy the machine is
		testTimeout: isLong ? 1_200_000 : 300_000,
		hookTimeout: 600_000,
		expect: { poll: { timeout: 60_000 } },
		// two cores are what a small machine has, and another worker uses them while others wait for a server or a program
		maxWorkers: isLong ? 4 : 3,
		// a worker keeps what it has loaded: loading the rooms anew for each file took a third of all time
		isolate: false,
		// modules made into JavaScript are kept from run to run, by their content, below node_modules
		experimental: { fsModuleCache: true },
	},
});
