/**
 * Writes what is made from the code: JSON Schemas, the architecture page, the references of metrics, agents and
 * commands, and the package's `imports` map. With `--check` it writes nothing and fails where a file is not fresh.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { rooms } from "../rooms.mjs";
import { explainFields } from "./glossary.mjs";
import { metricsPage } from "./metrics-page.mjs";
import { prepare, root, say } from "./prepare.mjs";

prepare();
const domain = await import("#domain");
const scoring = await import("#scoring");
const { conventionsTable, knownEncoders, knownHashes } = await import("#encoders");
const { agents, ProgramLine, settingFor, TaskRequest } = await import("#agents");
const { formats, transcriptFormats } = await import("#benchmarks");
const { labelStudio } = await import("../dist-rooms/workbench/label-studio.js");
const { createProgram } = await import("#cli");

const made = "<!-- made by `npm run generate`; do not edit -->\n\n";
const files = new Map();

const shared = [
	"Task",
	"Answer",
	"Chain",
	"Evidence",
	"DocumentReport",
	"Entity",
	"Triple",
	"Trajectory",
	"Step",
	"Score",
	"Outcome",
	"RunRecord",
	"ScoreRow",
	"Verdict",
	"SecondReading",
	"Diagnosis",
	"GoldFreeLine",
	"PseudoHopLabel",
	"PseudoHopReading",
	"DrawnPseudoHop",
	"InjectedLine",
	"TruthLine",
	"Prediction",
	"LabelSheet",
	"LabelledItem",
	"Item",
	"Review",
	"Withdrawal",
	"CorpusManifest",
	"KnowledgeManifest",
	"BenchmarkManifest",
	"RunManifest",
];
const shapes = { ...Object.fromEntries(shared.map((name) => [name, domain[name]])), TaskRequest, ProgramLine };
const schemas = Object.fromEntries(
	Object.entries(shapes).map(([name, shape]) => [name, z.toJSONSchema(shape, { io: "input", unrepresentable: "any" })]),
);
files.set("docs/glossary.md", explainFields(readFileSync(join(root, "docs/glossary.md"), "utf8"), schemas));
for (const [name, schema] of Object.entries(schemas))
	files.set(`docs/schemas/${name}.json`, `${JSON.stringify({ title: name, ...schema }, null, "\t")}\n`);
files.set("docs/architecture.md", architecture());
files.set("docs/metrics.md", made + metricsPage(scoring));
files.set("docs/recipes.md", await recipesPage());
files.set("docs/agents.md", agentsPage());
files.set("docs/encoders.md", encodersPage());
files.set("docs/formats.md", formatsPage());
files.set("docs/commands.md", await commandsPage());
files.set("package.json", withImports(readFileSync(join(root, "package.json"), "utf8")));

const check = process.argv.includes("--check");
const stale = [];
for (const [file, text] of files) {
	const path = join(root, file);
	const same = existsSync(path) && readFileSync(path, "utf8") === text;
	if (same) continue;
	stale.push(file);
	if (check) continue;
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}
for (const name of existsSync(join(root, "docs/schemas")) ? readdirSync(join(root, "docs/schemas")) : []) {
	if (files.has(`docs/schemas/${name}`)) continue;
	stale.push(`docs/schemas/${name}`);
	if (!check) rmSync(join(root, "docs/schemas", name));
}
if (stale.length > 0)
	say(`${check ? "not fresh" : "written"}: ${stale.join(", ")}${check ? " (run npm run generate)" : ""}`);
process.exitCode = check && stale.length > 0 ? 1 : 0;

function architecture() {
	const names = Object.keys(rooms);
	const below = (room) => (rooms[room].may === "all" ? names.filter((name) => name !== room) : rooms[room].may);
	const edges = names
		.filter((room) => rooms[room].may !== "all")
		.flatMap((room) => below(room).map((target) => `\t${room} --> ${target}`));
	const rows = names.map((room) => {
		const may = rooms[room].may === "all" ? "all of the above" : rooms[room].may.join(", ") || "–";
		return `| \`${room}\` | ${rooms[room].holds} | ${may} |`;
	});
	return `${made}# Architecture

One package, made of rooms. A room is a folder of \`src/\` with one face, its \`index.ts\`. Rooms meet only at their faces,
in one direction: a room imports only rooms that stand above it in this table, types included, and \`npm run check\`
enforces it. The table is \`rooms.mjs\`; the check, the \`imports\` map of the package and this page are made
from it. Why these rooms: [decisions/2026-11-21-rooms.md](decisions/2026-11-21-rooms.md).

| room | holds | may import |
| --- | --- | --- |
${rows.join("\n")}

How data flows: sources → \`corpus\` → \`knowledge\` → (\`recipes\` or \`benchmarks\`) → \`runs\` (\`agents\` over \`knowledge\`) →
records → \`scoring\` → \`diagnosis\` → \`reports\`. A trajectory is a word of \`domain\`, so that scoring never needs an agent.
\`diagnosis\` returns interventions as run plans (data), which the command line hands to \`runs\`. What these words mean:
[glossary.md](glossary.md).

\`\`\`mermaid
flowchart BT
${edges.join("\n")}
\`\`\`

Beside \`src/\`: \`test/\` (whole paths and what tests share), \`examples/\` (programs against the package, run by the tests),
\`suites/\` (the papers' tables: what was published, and what makes ours), \`bench/\` (performance and quality measured),
\`scripts/\` (what the npm commands run) and \`docs/\`.
`;
}

/** The page as it stands, with its reference made anew; the funnels in it are `npm run funnels`'s. */
async function recipesPage() {
	const { recipes } = await import("#recipes");
	const { settingsOf } = await import("../dist-rooms/workbench/make-settings.js");
	const cell = (text) => String(text).replaceAll("|", "\\|");
	const table = (head, rows) =>
		[head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
	const sections = [];
	for (const load of Object.values(recipes)) {
		const recipe = await load();
		const { name, version, title, description, paper, needs, roles } = recipe;
		const settings = settingsOf(recipe).map(({ name: setting, default: preset, takes, meaning }) => [
			`\`${setting}\``,
			preset === undefined ? "–" : `\`${preset}\``,
			takes,
			meaning || "–",
		]);
		const cast = Object.entries(roles).map(([role, { does, sees, optional, differsFrom = [] }]) => [
			`\`${role}\``,
			[does, sees ? "sees images" : "", optional ? "optional" : "", ...differsFrom.map((other) => `not the ${other}`)]
				.filter(Boolean)
				.join("; "),
		]);
		sections.push(`### \`${name}\` ${version}: ${title}

${description} ${paper}. Needs a knowledge base${needs.map((need) => `, ${need}`).join("")}.

${cast.length > 0 ? table(["role", "what it does"], cast) : "It asks no model."}

${settings.length > 0 ? table(["setting", "default", "takes", "meaning"], settings) : "It has no settings."}`);
	}
	const page = readFileSync(join(root, "docs/recipes.md"), "utf8");
	const [begin, end] = ["<!-- reference: made by `npm run generate`; do not edit -->", "<!-- end of reference -->"];
	const at = page.indexOf(begin) + begin.length;
	return `${page.slice(0, at)}\n\n${sections.join("\n\n")}\n\n${page.slice(page.indexOf(end))}`;
}

function agentsPage() {
	const cell = (text) => String(text).replaceAll("|", "\\|");
	const code = (text) => `\`${text}\``;
	const all = Object.values(agents);
	const needs = ({ needs: { model, gold, evidence = [] } }) =>
		[
			{ required: "a model", optional: "a model, if there is one", none: "" }[model],
			gold ? "the gold chain" : "",
			...evidence.map((kind) => `${kind}s`),
		]
			.filter(Boolean)
			.join(", ") || "nothing";
	const offered = (agent) => [...new Set(Object.values(agent.settings ?? {}).flatMap((preset) => preset.tools ?? []))];
	const rows = all.map((agent) =>
		[
			`[${code(agent.name)}](#${agent.name})`,
			agent.paper ?? "–",
			offered(agent).map(code).join(" ") || "–",
			agent.card?.budget ?? "–",
			agent.card?.messages ?? "–",
			agent.card?.reports ?? "–",
		]
			.map(cell)
			.join(" | "),
	);
	const sections = all.map((agent) => {
		const presets = Object.entries(agent.settings ?? {}).map(([name, values]) => {
			const { tools = [], ...rest } = values;
			const shown = Object.entries(rest).map(([key, value]) => `${key} ${value}`);
			const setting = settingFor(agent, { name });
			return `| ${[code(name), tools.map(code).join(" ") || "–", shown.join(", ") || "–", agent.card?.mostCalls(setting) ?? "–"].map(cell).join(" | ")} |`;
		});
		return `## \`${agent.name}\`

${agent.summary}${agent.reference ? ` A reference, not a competitor: it ${agent.reference}.` : ""} Needs ${needs(agent)}.

| setting | tools | values | most model calls a task |
| --- | --- | --- | --- |
${presets.join("\n")}
`;
	});
	return `${made}# Agents

Choose one with \`hopscope run --agent NAME\`, one of its settings with \`--setting NAME\`; without that, the first of its
settings holds. Tools have the same names in every protocol's record, whatever its model calls them. How runs, settings and
budgets work: [guides/run-and-compare.md](guides/run-and-compare.md); an agent of your own:
[guides/your-own-agent.md](guides/your-own-agent.md). A model that condenses pages of the live web is asked beyond the most
model calls stated here: once for each page read.

| agent | paper | tools | budget | message form | reported beside accuracy and cost |
| --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join("\n")}

${sections.join("\n")}`;
}

function encodersPage() {
	const shown = (text) => (text === "" ? "–" : `\`${text.replaceAll("\n", "\\n").replaceAll("|", "\\|")}\``);
	const common = (row) => {
		const models = Object.entries(row.models).map(([name, { dimensions }]) => `${name} (${dimensions})`);
		return `\`${row.id}\` | ${row.family}: ${models.join(", ")}${row.shortens ? "; can be shortened" : ""}`;
	};
	const of = (part, cells) =>
		conventionsTable
			.filter((row) => row[part])
			.map((row) => `| ${common(row)} | ${cells(row[part])} | ${row.source.replaceAll("|", "\\|")} |`)
			.join("\n");
	const text = of("text", (one) =>
		[shown(one.queryPrefix), shown(one.passagePrefix), one.pooling, one.padding, one.maxTokens].join(" | "),
	);
	const image = of("image", (one) =>
		[`${one.size} px, ${one.resize}`, one.mean.join(", "), one.std.join(", ")].join(" | "),
	);
	const addable = ({ name, kind, languages, megabytes, hub }) => {
		const of = kind === "text" ? "texts" : "pictures and texts";
		const known = Object.values(knownHashes).includes(name) ? "yes" : "no";
		return `| \`${name}\` | ${of} | ${languages} | ${megabytes} MB | ${hub} | ${known} |`;
	};
	const prompts = (one) => [shown(one.image), shown(one.queryPrefix), shown(one.querySuffix ?? "")].join(" | ");
	return `${made}# Encoders

What each family of models expects of its input and what is done with its output: breaking one of these still gives
vectors, only worse ones. A model's own files come before its row, and a user's word before both:
\`onnx:FOLDER?conventions=bge-en&pooling=cls&dimensions=256\`. Every vector is scaled to length 1. How to name an encoder:
[guides/your-documents.md](guides/your-documents.md).

## Added by name

\`hopscope encoders add NAME\` fetches one of these, checks it, tries it on this machine, and makes it the workspace's default
where it does better than words: [guides/your-documents.md](guides/your-documents.md#encoders).

| name | of | languages | size | at the hub | its model's SHA-256 is known |
| --- | --- | --- | --- | --- | --- |
${knownEncoders.map(addable).join("\n")}

Known are files that were fetched and measured for the figures below; the hash of any other is recorded and shown when it is
added. Either is checked whenever the encoder is opened.

What is found by words (BM25), by the offline encoder (letters), by e5-small-v2 (int8), and by it and words fused, its ranks
counting three times ([why](decisions/2026-11-28-encoders-by-default.md)):

| | n | words | letters | encoder | fused |
| --- | --- | --- | --- | --- | --- |
| Node's manual asked in other words: right section first | 26 | 4 | 1 | 6 | 8 |
| … among twenty | 26 | 15 | 12 | 23 | 22 |
| MoreHopQA's sub-questions in 2,634 passages: MRR | 300 | .931 | .872 | .961 | .964 |
| MoreHopQA's whole questions: recall of their two paragraphs at 10 | 150 | .797 | .743 | .810 | .840 |
| three papers: evidence page among five, by passages | 18 | 11 | – | 12 | 13 |
| trial passages: right one first (bge-small 20, all-MiniLM 24 alone) | 24 | 13 | 13 | 22 | 15 |

## Texts

| id | models (dimensions) | before a query | before a passage | pooling | padding | tokens | source |
| --- | --- | --- | --- | --- | --- | --- | --- |
${text}

## Images

| id | models (dimensions) | size | mean | deviation | source |
| --- | --- | --- | --- | --- | --- |
${image}

## Images and texts through a server, one vector each

| id | models (dimensions) | with an image | before a query | after it | source |
| --- | --- | --- | --- | --- | --- |
${of("served", prompts)}

## Pages through a server, many vectors each

| id | models (dimensions) | with a page | before a query | after it | source |
| --- | --- | --- | --- | --- | --- |
${of("pages", prompts)}
`;
}

function formatsPage() {
	const cell = (text) => String(text).replaceAll("|", "\\|");
	const all = [...Object.values(formats), labelStudio];
	const verified = ({ verified }) => (verified === "files" ? "real files" : "**unverified**");
	const rows = all.map((format) =>
		[
			`[\`${format.name}\`](#${format.name})`,
			format.title,
			...[format.read ? "yes" : "–", format.write ? "yes" : "–", verified(format)],
		]
			.map(cell)
			.join(" | "),
	);
	const conventions = ({ conventions: { pages, boxes, listsAsText } }) =>
		[
			...(pages === undefined ? [] : [`Pages are counted from ${pages}; inside they are counted from 0.`]),
			...(boxes === undefined ? [] : [`Boxes: ${boxes}.`]),
			...(listsAsText?.length
				? [`Lists written as text: ${listsAsText.map((name) => `\`${name}\``).join(", ")}.`]
				: []),
		].map((line) => `- ${line}`);
	const losses = (format) =>
		format.losses.length > 0
			? format.losses.map(({ field, why }) => `- Does not come back: \`${field}\`: ${why}.`)
			: format.read && format.write
				? ["- Reading and writing again gives every row back as it was."]
				: [];
	const sections = all.map((format) => {
		const { name, title, files, source } = format;
		const where = source.url === undefined ? source.name : `[${source.name}](${source.url})`;
		const lines = [
			`- Files: ${files}.`,
			`- Source: ${where}, licence: ${source.licence}. ${source.attribution}`,
			...conventions(format),
			...losses(format),
		];
		return `### \`${name}\`\n\n${title}\n\n${lines.join("\n")}\n`;
	});
	const [from, to] = ["<!-- real files -->", "<!-- end: real files -->"];
	const path = join(root, "docs/formats.md");
	const before = existsSync(path) ? readFileSync(path, "utf8") : "";
	const [start, end] = [before.indexOf(from), before.indexOf(to)];
	const kept = start >= 0 && end > start ? before.slice(start + from.length, end) : "\n\n";
	return `${made}# Formats

\`hopscope import FORMAT FILES…\` reads a published benchmark, \`hopscope export BENCHMARK --format FORMAT --to DIR\` writes
one. A row that is not understood is refused with its file, its line and the reason; it is never guessed. Where a source does
not release the order or the questions of its hops, no chain is made up: what it marks as supporting is kept as that. Fields
that have no place in a task are kept beside it and come back when the format is written. A format marked unverified was
written from its published description: no real file of it was at hand.

| Format | Title | Read | Written | Tried on |
| :--- | :--- | :--- | :--- | :--- |
${rows.map((row) => `| ${row} |`).join("\n")}

## Transcripts and traces

\`hopscope import\` makes a run of these: [transcripts](guides/compare.md#transcripts-made-elsewhere),
[traces](guides/traces.md).

| Format | Title | Tried on |
| :--- | :--- | :--- |
${Object.values(transcriptFormats)
	.map(
		({ name, source, tried }) =>
			`| \`${name}\` | ${source.url === undefined ? source.name : `[${source.name}](${source.url})`} | ${tried} |`,
	)
	.join("\n")}

## Real files

${from}${kept}${to}

## Each format

${sections.join("\n")}`;
}

async function commandsPage() {
	const program = await createProgram({ write: () => {}, say: () => {} });
	const all = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
	const sections = all.map((command) => {
		const names = [command.parent?.parent, command.parent, command].map((one) => one?.name());
		let text = "";
		command.configureOutput({
			writeOut: (part) => (text += part),
			getOutHelpWidth: () => 100,
			getOutHasColors: () => false,
		});
		command.outputHelp();
		return `## \`${names.filter(Boolean).join(" ")}\`\n\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`;
	});
	return `${made}# Commands

${sections.join("\n")}`;
}

function withImports(text) {
	const manifest = JSON.parse(text);
	manifest.imports = Object.fromEntries(
		Object.keys(rooms).map((room) => [
			`#${room}`,
			{
				"hopscope-source": `./src/${room}/index.ts`,
				default: `./dist-rooms/${room}/index.js`,
			},
		]),
	);
	return `${JSON.stringify(manifest, null, "\t")}\n`;
}
