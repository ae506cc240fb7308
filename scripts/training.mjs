/**
 * `npm run training [-- --tier actions|tokens] [--seeds N] [--kept]`: trains the toy policies of examples/toy-rl over the
 * full grid and writes their tables into docs/training.md, between that page's marks. What came out is kept under
 * node_modules/.cache; `--kept` writes the page anew from it and trains nothing.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildToyRl } from "../examples/toy-rl/build.mjs";
import { hopscope, writeBetween } from "./pages.mjs";
import { prepare, root, say } from "./prepare.mjs";

prepare();
buildToyRl();
const { renderMarkdown } = await import("#reports");
const { toyViews } = await import("../examples/toy-rl/dist/views.js");

const { values: options } = parseArgs({
	options: { tier: { type: "string" }, seeds: { type: "string", default: "8" }, kept: { type: "boolean" } },
});
const cache = join(root, "node_modules", ".cache", "hopscope-training");
const workspace = join(cache, "workspace");
const page = join(root, "docs", "training.md");
mkdirSync(cache, { recursive: true });

for (const tier of ["actions", "tokens"]) {
	if (options.tier !== undefined && options.tier !== tier) continue;
	const file = join(cache, `${tier}.json`);
	if (!options.kept) {
		if (tier === "actions" && !existsSync(join(workspace, "benchmarks", "atlas")))
			hopscope(["make", "atlas"], workspace);
		// for a grid that is broken off; whole, it is forgotten, since the next may be of other code
		const sofar = join(cache, `${tier}.jsonl`);
		writeFileSync(
			file,
			trained(["--tier", tier, "--grid", "full", "--seeds", options.seeds, "--keep", sofar, "--json"]),
		);
		rmSync(sofar, { force: true });
	}
	if (!existsSync(file)) {
		say(`${tier}: nothing is kept`);
		continue;
	}
	writeBetween(
		page,
		[`<!-- toy ${tier} -->`, `<!-- end of toy ${tier} -->`],
		told(JSON.parse(readFileSync(file, "utf8"))),
	);
	say(`docs/training.md: ${tier} written`);
}

/** What the example writes to standard output. */
function trained(args) {
	const program = join(root, "examples", "toy-rl", "main.mjs");
	return execFileSync(process.execPath, [program, ...args, "--workspace", workspace], {
		encoding: "utf8",
		stdio: ["ignore", "pipe", "inherit"],
		maxBuffer: 2 ** 28,
	});
}

function told({ results, counts, seconds }) {
	const tables = toyViews(results).map(renderMarkdown).join("\n");
	const seeds = new Set(results.map(({ seed }) => seed)).size;
	const alone = results.reduce((sum, { ms }) => sum + ms, 0) / results.length / 1000;
	const { episodes, playedEpisodes, searches, realSearches } = counts;
	const played =
		episodes > 0
			? ` ${episodes} episodes, ${playedEpisodes} of them played and the others made of the same moves as one before; ${searches} searches asked, ${realSearches} carried out.`
			: "";
	return `Made by \`npm run training\`: ${results.length} runs, ${seeds} seeds a condition, in ${(seconds / 60).toFixed(1)} minutes (${alone.toFixed(1)} s a run, on a shared machine).${played}

${tables.replaceAll(/\n{3,}/g, "\n\n").trim()}`;
}
