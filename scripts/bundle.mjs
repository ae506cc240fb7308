/**
 * Bundles the sources: a command then reads a few files instead of a thousand, and loads what it needs when it needs it.
 * `dist` is what the package ships; `dist-rooms` holds the faces of the rooms, which scripts, measurements and examples of a
 * checkout import as `#room`. They are two bundles, since a face keeps all that stands behind it together.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { rooms } from "../rooms.mjs";
import { root } from "./prepare.mjs";

if (process.argv[2] === "package") await bundlePackage();
else await bundleRooms();

async function bundlePackage() {
	const shipped = await bundle("dist", {
		"cli/main": "src/cli/main.ts",
		"cli/reading-process": "src/corpus/reading/reading-process.ts",
		"cli/tables-process": "src/workbench/studio/tables-process.ts",
		"library/index": "src/index.ts",
		...filesIn("src/subpaths", "library"),
	});
	keepNotices(Object.values(shipped).flat());
	await bundleRecogniser();
	await bundleStudio();
	mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
	writeFileSync(join(root, "node_modules/.cache/shipped.json"), JSON.stringify(shipped));
}

async function bundleRooms() {
	// what scripts and measurements need from behind a face
	const behindFaces = ["knowledge/terms", "workbench/label-studio", "workbench/make-settings"];
	await bundle("dist-rooms", {
		...Object.fromEntries(
			[...Object.keys(rooms).map((room) => `${room}/index`), ...behindFaces].map((name) => [name, `src/${name}.ts`]),
		),
		// of the tests: scripted models, which play the recipes, and the way of a task through a format and back
		...filesIn("test/support/recipes", "support"),
		"sample/index": "bench/sample/index.ts",
		"support/round-trip": "test/support/benchmarks/round-trip.ts",
	});
}

/** What taken-in files say at their top of who may copy them. */
function keepNotices(modules) {
	const taken = modules.filter((id) => /node_modules\/@(bufbuild|nats-io)\//.test(id));
	const notices = taken.map(
		(id) => /^(?:\/\/.*\n)+|\/\*[\s\S]*?\*\/\n/.exec(readFileSync(join(root, id), "utf8"))?.[0] ?? "",
	);
	const kept = new Set(notices.filter((notice) => notice.includes("Copyright")));
	writeFileSync(join(root, "dist/THIRD-PARTY.txt"), [...kept].join("\n"));
}

/**
 * The program that recognises text, with the three builds of its engine that a machine may need and the one language that
 * every installation has: 13 MB of the 64 that their packages hold.
 */
async function bundleRecogniser() {
	const build = await rolldown({
		cwd: root,
		input: "node_modules/tesseract.js/src/worker-script/node/index.js",
		platform: "node",
		// engines of an older kind that are never asked for, and what stands in for `fetch` where there is none
		external: ["node-fetch", ...["", "-simd", "-relaxedsimd"].map((kind) => `tesseract.js-core/tesseract-core${kind}`)],
		onLog: (level, log, report) => log.code !== "EVAL" && report(level, log),
	});
	await build.write({ dir: "dist/ocr", format: "cjs", entryFileNames: "recogniser.cjs" });
	await build.close();
	const packages = join(root, "node_modules");
	const copy = (from, to) => copyFileSync(join(packages, from), join(root, "dist", "ocr", to));
	for (const kind of ["", "-simd", "-relaxedsimd"])
		copy(`tesseract.js-core/tesseract-core${kind}-lstm.wasm`, `tesseract-core${kind}-lstm.wasm`);
	copy("@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz", "eng.traineddata.gz");
	copy("tesseract.js-core/LICENSE", "LICENSE");
}

/** The pages of the studio: one script and one style sheet. */
async function bundleStudio() {
	const { build } = await import("vite");
	await build({ configFile: join(root, "studio/vite.config.ts"), logLevel: "warn" });
}

/** The sources of a folder by where their bundles go. */
function filesIn(folder, to) {
	const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".ts"));
	return Object.fromEntries(names.map((name) => [`${to}/${name.slice(0, -3)}`, `${folder}/${name}`]));
}

/** Every file lies two levels below the package, as `packageFile` expects. Gives the sources that each file holds. */
async function bundle(dir, input) {
	const build = await rolldown({
		cwd: root,
		input,
		platform: "node",
		resolve: { conditionNames: ["hopscope-source", "import", "node"] },
		// zod is taken in since most of its hundred files are translations that nobody reads, tesseract.js and the reader of
		// protobuf since their packages hold five times what is needed of them, the queue's client since a package below it
		// asks for a newer Node than we do; all other dependencies stay packages of their own
		external: (id, importer) =>
			!/^([.#/]|zod$|tesseract.js$|@bufbuild\/protobuf\/wire$|@nats-io\/)/.test(id) &&
			!/\/(tesseract.js|@nats-io)\//.test(importer),
		// tesseract.js asks where its own program lies; ours is named instead
		transform: { define: { __dirname: "import.meta.dirname" } },
		treeshake: {
			moduleSideEffects: [
				// sets the language of zod's messages
				{ test: /zod\/v4\/classic\/external/, sideEffects: true },
				{ test: /./, sideEffects: false },
			],
		},
		// else chunks would import what they share from an entry, and run it
		experimental: { chunkOptimization: false },
		// a face may hold what its own room loads late
		onLog: (level, log, report) => log.code !== "INEFFECTIVE_DYNAMIC_IMPORT" && report(level, log),
	});
	const { output } = await build.write({
		dir,
		cleanDir: true,
		format: "esm",
		entryFileNames: "[name].js",
		chunkFileNames: ({ name }) => `chunks/${name.replaceAll("/", "-")}-[hash].js`,
		codeSplitting: {
			// what nearly every command reads, in one file each; what asks models stays apart
			groups: [
				{ name: "words", test: /\/src\/(domain|store)\//, priority: 2 },
				{ name: "measures", test: /\/src\/scoring\/(?!judging)/, priority: 1 },
			],
		},
		comments: { legal: true, annotation: true, jsdoc: false },
	});
	await build.close();
	const sourcesOf = ({ moduleIds }) => moduleIds.map((id) => relative(root, id));
	return Object.fromEntries(output.map((file) => [file.fileName, sourcesOf(file)]));
}
