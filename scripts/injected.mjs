/**
 * Injects faults on the Atlas and on MoreHopQA and writes what the diagnosis made of them into docs/diagnosis.md and
 * docs/diagnosis-by-wording.md, between their marks: the injected agent's records (about 25 minutes for the Atlas, once),
 * then the walker's error budget. A benchmark that is not there keeps what stands. `--benchmark NAME`: only that one;
 * `--workspace DIR`: where the runs are kept; the same command again goes on with them. `--protocols`: only the runs of
 * protocols and of a program, in which a played model makes the faults (about 10 minutes).
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hopscope, writeBetween } from "./pages.mjs";
import { prepare, root, run, say } from "./prepare.mjs";

prepare();
const { values: options } = parseArgs({
	options: { workspace: { type: "string" }, benchmark: { type: "string" }, protocols: { type: "boolean" } },
});
const workspace = resolve(options.workspace ?? join(root, "node_modules", ".cache", "hopscope-injected"));
const morehopqa = join(root, "..", "shared", "data", "morehopqa", "morehopqa_150.json");

const benchmarks = [
	{ name: "atlas", perCell: "40", make: ["make", "atlas"] },
	...(existsSync(morehopqa) ? [{ name: "morehopqa", perCell: "20", make: ["import", "morehopqa", morehopqa] }] : []),
];
if (benchmarks.length < 2) say(`MoreHopQA is left as it stands: there is no ${morehopqa}`);

const page = join(root, "docs", "diagnosis.md");
for (const { name, perCell, make } of benchmarks) {
	if (options.protocols || (options.benchmark !== undefined && options.benchmark !== name)) continue;
	if (!existsSync(join(workspace, "benchmarks", name))) hopscope(make, workspace);
	const about = ["inject", "--benchmark", name, "--format", "md", "--json", "--out"];
	const attribution = join(workspace, `attribution-${name}`);
	const { records } = JSON.parse(hopscope([...about, attribution, "--records", perCell], workspace));
	const shown = ["attribution", "attribution-faults", "attribution-baselines", "attribution-unobserved"];
	const all = [...shown, "attribution-mistakes"].map((view) => table(attribution, view));
	const marks = [`<!-- attribution: ${name} -->`, `<!-- end: attribution ${name} -->`];
	writeBetween(page, marks, `Made by \`npm run injected\`: ${records} records, seed 1.\n\n${all.join("\n\n")}`);
	const [, byWording = ""] = table(attribution, "attribution-styles").split(/^#.*\n/m);
	writeBetween(join(root, "docs", "diagnosis-by-wording.md"), marks, byWording.trim());
	const file = join(workspace, `injected-${name}.md`);
	const inject = [...about, file, "--budget", "--seed", "0"];
	const { sound, runs, clean, share, seed } = JSON.parse(hopscope(inject, workspace));
	const tables = readFileSync(file, "utf8").replaceAll(/\n{3,}/g, "\n\n");
	const counts = runs.map(
		({ agent, counts }) =>
			`| ${agent} | ${cell(counts, "struck")} | ${cell(counts, "missed-its-mark")} | ${cell(counts, "spared")} | ${cell(counts, "cannot-strike")} |`,
	);
	const text = `Made by \`npm run injected\`: share ${share}, seed ${seed}. Without a fault the agent is right in ${sound.right} of ${sound.tasks}
tasks; ${sound.clean} of them it solves with every hop's evidence found. Faults that struck such tasks are named rightly in
${clean.struck.count} of ${clean.struck.of} (${(100 * clean.struck.value).toFixed(1)} %), tasks with nothing wrong in ${clean.nothing.count} of ${clean.nothing.of}.

| Agent | Struck | Missed its mark | Not drawn | Cannot strike |
| :--- | ---: | ---: | ---: | ---: |
${counts.join("\n")}

${tables.trim()}`;
	writeBetween(page, [`<!-- injected: ${name} -->`, `<!-- end: ${name} -->`], text);
	say(`docs/diagnosis.md: ${name} written`);
}
if (options.benchmark === undefined) writeProtocols();

/** Real runs against a played model, made by a long test that leaves its tables. */
function writeProtocols() {
	const file = join(workspace, "protocols.md");
	const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
	const env = { ...process.env, HOPSCOPE_LONG_TESTS: "1", HOPSCOPE_PROTOCOL_TABLES: file };
	const code = run(process.execPath, [vitest, "run", "test/injected-protocols.long.ts"], { env });
	if (code !== 0) throw new Error("the runs of protocols failed");
	const text = `Made by \`npm run injected -- --protocols\`.\n\n${readFileSync(file, "utf8").trim()}`;
	writeBetween(page, ["<!-- injected: protocols -->", "<!-- end: protocols -->"], text);
	say("docs/diagnosis.md: protocols written");
}

function table(folder, view) {
	return readFileSync(join(folder, `${view}.md`), "utf8").trim();
}

function cell(counts, name) {
	return counts[name] ?? 0;
}
