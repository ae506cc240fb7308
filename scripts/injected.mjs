/**
 * Injects faults on the Atlas and on MoreHopQA and writes what the diagnosis made of them into docs/diagnosis.md, between
 * that page's marks. A benchmark that is not there keeps what stands. `--benchmark NAME`: only that one; `--workspace DIR`:
 * where the runs are kept; the same command again goes on with them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hopscope, writeBetween } from "./pages.mjs";
import { prepare, root, say } from "./prepare.mjs";

prepare();
const { values: options } = parseArgs({ options: { workspace: { type: "string" }, benchmark: { type: "string" } } });
const workspace = resolve(options.workspace ?? join(root, "node_modules", ".cache", "hopscope-injected"));
const morehopqa = join(root, "..", "shared", "data", "morehopqa", "morehopqa_150.json");

const benchmarks = [
	{ name: "atlas", make: ["make", "atlas"] },
	...(existsSync(morehopqa) ? [{ name: "morehopqa", make: ["import", "morehopqa", morehopqa] }] : []),
];
if (benchmarks.length < 2) say(`MoreHopQA is left as it stands: there is no ${morehopqa}`);

const page = join(root, "docs", "diagnosis.md");
for (const { name, make } of benchmarks) {
	if (options.benchmark !== undefined && options.benchmark !== name) continue;
	if (!existsSync(join(workspace, "benchmarks", name))) hopscope(make, workspace);
	const file = join(workspace, `injected-${name}.md`);
	const inject = ["inject", "--benchmark", name, "--budget", "--format", "md", "--out", file, "--json"];
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

function cell(counts, name) {
	return counts[name] ?? 0;
}
