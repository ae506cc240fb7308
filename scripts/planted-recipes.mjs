/**
 * `npm run planted-recipes`: has every recipe build from documents with scripted models whose writer makes one mistake in
 * each question, and counts the mistakes that are accepted; then the same with a writer that makes none, and counts what is
 * lost. Prints the table; with `--write` it goes into docs/recipes.md. `--family held-out`: other wordings over other
 * documents than rules were tried with; `--each N`: units of each kind; `--seed N`; `--recipe NAME`: only that one;
 * `--examples`: accepted bad items too.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { writeBetween } from "./pages.mjs";
import { prepare, root, say } from "./prepare.mjs";

if (isMainThread) await main();
else parentPort.postMessage(await measured(workerData));

async function main() {
	prepare();
	const { values } = parseArgs({
		options: {
			...{ write: { type: "boolean" }, examples: { type: "boolean" }, recipe: { type: "string" } },
			...{ family: { type: "string", default: "main" }, each: { type: "string", default: "100" } },
			seed: { type: "string", default: "1" },
		},
	});
	const { lanes, measureReal } = await import("../dist-rooms/support/planted-recipes.js");
	const { plantedTable, goodTable, plantedLegend } = await import("../dist-rooms/support/planted-tables.js");
	const how = { family: values.family, each: Number(values.each), seed: Number(values.seed) };
	const asked = lanes.filter(({ recipe }) => values.recipe === undefined || recipe === values.recipe);
	const runs = asked.flatMap(({ name, casts }) => casts.map((cast) => ({ ...how, lane: name, cast })));
	const begun = Date.now();
	const all = await inParallel(runs);
	const seconds = Math.round((Date.now() - begun) / 1000);
	say(`${runs.length} runs in ${seconds} s`);
	const morehopqa = join(root, "..", "shared", "data", "morehopqa", "morehopqa_150.json");
	const dir = temporary();
	const real = existsSync(morehopqa) ? [await measureReal(morehopqa, dir)] : [];
	rmSync(dir, { recursive: true, force: true });
	const text = [
		`Made by \`npm run planted-recipes\`: seed ${how.seed}, wordings and documents \`${how.family}\`, ${how.each} units of each kind and ${2 * how.each} good ones a recipe.`,
		"Optional roles left out / honest / nodding at everything, all other roles honest:",
		plantedTable(all, ["off", "on", "yes"]),
		"Everybody but the writer nods, so that rules are on their own:",
		plantedTable(all, ["all"]),
		goodTable([...all.map(({ good }) => good), ...real]),
		...(how.family === "main" ? [plantedLegend()] : []),
	].join("\n\n");
	process.stdout.write(`${text}\n`);
	if (values.examples) process.stdout.write(`\n${examplesOf(all)}\n${real.flatMap(({ lost }) => lost).join("\n")}\n`);
	if (!values.write) return;
	const marks = [`<!-- planted: ${how.family} -->`, `<!-- end: planted ${how.family} -->`];
	writeBetween(join(root, "docs", "recipes.md"), marks, text);
}

/** As many runs at once as there are processors, the first ones first. */
async function inParallel(runs) {
	const results = [];
	let next = 0;
	const work = async () => {
		while (next < runs.length) {
			const at = next++;
			const { lane, cast } = runs[at];
			const begun = Date.now();
			results[at] = await new Promise((resolve, reject) => {
				const worker = new Worker(new URL(import.meta.url), { workerData: runs[at] });
				worker.once("message", resolve).once("error", reject);
			});
			say(`${lane}, ${cast}: ${((Date.now() - begun) / 1000).toFixed(0)} s`);
		}
	};
	await Promise.all(Array.from({ length: Math.min(availableParallelism(), runs.length) }, work));
	return results;
}

async function measured({ lane: name, ...how }) {
	const { faults } = await import("../dist-rooms/support/planted-faults.js");
	const { lanes, measureFaults, measureGood } = await import("../dist-rooms/support/planted-recipes.js");
	const lane = lanes.find((one) => one.name === name);
	const dir = temporary();
	try {
		const good = await measureGood({ ...how, lane, each: 2 * how.each, dir: join(dir, "good") });
		return { ...(await measureFaults({ ...how, lane, faults, dir: join(dir, "bad") })), good };
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

function temporary() {
	return mkdtempSync(join(tmpdir(), "hopscope-planted-"));
}

function examplesOf(all) {
	return all
		.flatMap(({ lane, cast, faults }) =>
			[...faults].flatMap(([name, { examples }]) => examples.map((one) => `${lane}, ${cast}, ${name}: ${one}`)),
		)
		.join("\n");
}
