/**
 * Reads every real file in reach with its importer, writes it again where the format goes both ways, and puts the table
 * into docs/formats.md, between that page's marks. A file that is not there keeps no row: without any, nothing is written.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepare, root, say } from "./prepare.mjs";

prepare();
const { formats, importTranscripts } = await import("#benchmarks");
const { roundTripProblems } = await import("../dist-rooms/support/round-trip.js");
const data = join(root, "..", "shared", "data");
const [from, to] = ["<!-- real files -->", "<!-- end: real files -->"];

const transcripts = [
	{ format: "r1-searcher", file: "trajectories/r1searcher_bamboogle_qwen.jsonl" },
	{ format: "webdancer", file: "trajectories/webdancer_sample.jsonl" },
];

const rows = [];
for (const { format: name, files, images, documents } of JSON.parse(
	readFileSync(join(root, "scripts", "real-files.json"), "utf8"),
)) {
	const paths = files.map((file) => join(data, file));
	const missing = paths.find((path) => !existsSync(path));
	if (missing !== undefined) {
		say(`left out: there is no ${missing}`);
		continue;
	}
	const format = formats[name];
	const options = {
		...(images === undefined ? {} : { images: join(data, images) }),
		...(documents === undefined ? {} : { documents }),
	};
	const started = performance.now();
	const reading = await format.read(paths, options);
	const ms = performance.now() - started;
	const chains = reading.tasks.filter((task) => task.chain).length;
	const back = format.write ? await roundTripProblems(format, paths, options) : undefined;
	const same = back === undefined ? "–" : back.length === 0 ? "identical" : `${back.length} fields differ`;
	for (const problem of back ?? []) say(`${name}: ${problem}`);
	const cells = [
		...[`\`${name}\``, files.join(", "), reading.rows, reading.tasks.length, chains, reading.evidence.length],
		...[refusals(reading.refused), reading.losses.length, same],
	];
	rows.push(`| ${cells.join(" | ")} |`);
	say(`${name}: ${reading.rows} rows in ${ms.toFixed(0)} ms`);
}
for (const { format, file } of transcripts) {
	const path = join(data, file);
	if (!existsSync(path)) continue;
	const { tasks, passages, losses, problems } = await importTranscripts(path, format);
	const refused = problems.map((problem) => ({ reason: problem.replace(/^line \d+: /, "") }));
	const cells = [`\`${format}\``, file, tasks.length + problems.length, tasks.length, 0, passages.length];
	rows.push(`| ${[...cells, refusals(refused), losses.length, "–"].join(" | ")} |`);
}
if (rows.length > 0) write(rows);
else say(`docs/formats.md is left as it stands: there is nothing in ${data}`);

/** `48: constraint has 2 cells (40), …`, numbers in reasons left out so that like reasons count together. */
function refusals(refused) {
	if (refused.length === 0) return "0";
	const counts = new Map();
	for (const { reason } of refused) {
		const alike = reason.replace(/\d+/g, "N").replaceAll("|", "\\|");
		counts.set(alike, (counts.get(alike) ?? 0) + 1);
	}
	const shown = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${reason} (${count})`);
	return `${refused.length}: ${shown.slice(0, 4).join("; ")}${shown.length > 4 ? "; …" : ""}`;
}

function write(lines) {
	const page = join(root, "docs", "formats.md");
	const before = readFileSync(page, "utf8");
	const [start, end] = [before.indexOf(from), before.indexOf(to)];
	if (start === -1 || end < start) throw new Error(`docs/formats.md has no marks ${from} … ${to}`);
	const table = `Made by \`npm run formats\`: what each importer made of the real files in reach. Every row of a file is a task, an evidence,
a part of another row's task, or refused with its line and the reason.

| Format | File | Rows | Tasks | With a chain | Evidence | Refused | Losses told | Written again |
| :--- | :--- | ---: | ---: | ---: | ---: | :--- | ---: | :--- |
${lines.join("\n")}`;
	writeFileSync(page, `${before.slice(0, start + from.length)}\n\n${table}\n\n${before.slice(end)}`);
	say("docs/formats.md written");
}
