/**
 * Holds what records show without gold against the verdicts by their gold chains, on the Atlas and on MoreHopQA, and writes
 * it into docs/diagnosis.md between its marks: agents with injected faults, which are ours, and a program that is not
 * (`without-gold-agent.mjs`), each showing little, some or all of its work. About 15 minutes. `--workspace DIR`: where it is
 * kept; the same command again goes on with it. A benchmark that is not there keeps what stands.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hopscope, writeBetween } from "./pages.mjs";
import { prepare, root, say } from "./prepare.mjs";

prepare();
const { values: options } = parseArgs({ options: { workspace: { type: "string" }, records: { type: "string" } } });
const workspace = resolve(options.workspace ?? join(root, "node_modules", ".cache", "hopscope-injected"));
const perCell = options.records ?? "8";
const morehopqa = join(root, "..", "shared", "data", "morehopqa", "morehopqa_150.json");
const kinds = ["stated", "thought", "bare"];
const benchmarks = [
	{ name: "atlas", make: ["make", "atlas"] },
	...(existsSync(morehopqa) ? [{ name: "morehopqa", make: ["import", "morehopqa", morehopqa] }] : []),
];

for (const { name, make } of benchmarks) {
	if (!existsSync(join(workspace, "benchmarks", name))) hopscope(make, workspace);
	const asked = ["inject", "-b", name, "--records", perCell, "--without-gold", "--json"];
	const { records, groups } = JSON.parse(hopscope(asked, workspace));
	const rows = [
		...kinds.flatMap((kind) =>
			groups.filter(({ group }) => group === kind).flatMap(({ agreement }) => rowsOf("injected", kind, agreement)),
		),
		...kinds.flatMap((kind) => rowsOf("program", kind, ofProgram(name, kind))),
	];
	const order = [...new Set(rows.map(({ pair }) => pair))];
	const lines = rows
		.toSorted((a, b) => order.indexOf(a.pair) - order.indexOf(b.pair))
		.map(({ cells }) => `| ${cells.join(" | ")} |`);
	const text = `Made by \`node scripts/without-gold.mjs\`: ${records} records of the injected agent (seed 1), ${kinds.length} runs of the program.

| Flag and verdict | Agent | Shows | n | told % | verdict % | found % | precision % | bias, points | κ |
| :--- | :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${lines.join("\n")}

${soundTable(groups)}`;
	writeBetween(
		join(root, "docs", "diagnosis.md"),
		[`<!-- without gold: ${name} -->`, `<!-- end: without gold ${name} -->`],
		text,
	);
	say(`docs/diagnosis.md: ${name} without gold written`);
}

/** The program's run of a kind, read both ways. */
function ofProgram(benchmark, kind) {
	const run = `program-${benchmark}-${kind}`;
	const agent = `exec:node ${join(root, "scripts", "without-gold-agent.mjs")} ${kind}`;
	if (!existsSync(join(workspace, "runs", run)))
		hopscope(["run", "-b", benchmark, "--name", run, "--agent", agent, "--json"], workspace);
	return JSON.parse(hopscope(["diagnose", run, "--without-gold", "--json"], workspace)).agreement;
}

function rowsOf(agent, kind, agreement) {
	return agreement.flatMap(({ flag, verdicts, over, table, n, coverage, sensitivity, precision, bias, kappa }) => {
		const holding = table.both + table.verdictOnly;
		if (holding + table.flagOnly === 0) return [];
		const spelt = (name) => name.replaceAll("-", " ");
		const pair = `${spelt(flag)} with ${verdicts.map(spelt).join(", ")}${over === "search" ? "" : `, by ${over === "carried" ? "search after it" : over}`}`;
		const cells = [
			pair,
			agent,
			kind,
			n,
			share(coverage),
			percent(n === 0 ? null : holding / n),
			share(sensitivity),
			share(precision),
			share(bias),
			number(kappa),
		];
		return [{ pair, cells }];
	});
}

/** Of records in which nothing was injected, those with a flag. */
function soundTable(groups) {
	const flags = groups[0]?.flags.map(({ flag }) => flag) ?? [];
	const of = (kind, flag) =>
		groups.find(({ group }) => group === kind)?.flags.find((one) => one.flag === flag)?.records;
	const rows = flags.map(
		(flag) => `| ${flag.replaceAll("-", " ")} | ${kinds.map((kind) => share(of(kind, flag))).join(" | ")} |`,
	);
	const counts = kinds.map((kind) => `${kind} (${of(kind, flags[0])?.of ?? 0})`);
	return `Of the injected agent's records in which nothing is broken, % with the flag:

| Flag | ${counts.join(" | ")} |
| :--- | ${kinds.map(() => "---:").join(" | ")} |
${rows.join("\n")}`;
}

function percent(value) {
	return value === null || value === undefined
		? "–"
		: (100 * value)
				.toFixed(0)
				.replace(/^-(?!0$)/, "−")
				.replace("-", "");
}
function share(found) {
	const { value = null, low = null, high = null } = found ?? {};
	if (value === null) return "–";
	return low === null ? percent(value) : `${percent(value)} (${percent(low)} to ${percent(high)})`;
}
function number({ value, low, high }) {
	if (value === null) return "–";
	const shown = (one) =>
		one
			.toFixed(2)
			.replace(/^-(?!0\.00$)/, "−")
			.replace("-", "");
	return low === null ? shown(value) : `${shown(value)} (${shown(low)} to ${shown(high)})`;
}
