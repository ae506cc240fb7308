import { rooms } from "./rooms.mjs";

export default {
	entry: ["src/index.ts!", "src/testing.ts!", "src/cli/main.ts!", "scripts/*.mjs", "bench/*.ts", "examples/*.ts", "test/**/*.{test,long}.ts"],
	project: ["src/**/*.ts!", "test/**/*.ts", "bench/**/*.ts", "examples/**/*.ts", "scripts/**/*.mjs"],
	// `#room` leads to the built files by default; here the sources are meant
	paths: Object.fromEntries(Object.keys(rooms).map((room) => [`#${room}`, [`./src/${room}/index.ts`]])),
	ignoreExportsUsedInFile: true,
};
