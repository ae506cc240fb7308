/**
 * Retrieval on real documents: three papers and the questions of MMLongBench-Doc on them, which name evidence pages.
 * Reports, over the questions that have evidence, how often one of the best k pages is an evidence page (hit@k), by
 * pages' own text and by the best passage of each page. Needs ../shared/data and a build; a text encoder can be named:
 * `npm run bench -- documents onnx:FOLDER`.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCorpus, readSources } from "#corpus";
import { openTextEncoder } from "#encoders";
import { buildKnowledge, openKnowledge } from "#knowledge";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "../shared/data/documents");
if (!existsSync(folder)) {
	console.log("bench/documents: ../shared/data is absent, nothing measured");
	process.exit(0);
}
const questions = JSON.parse(readFileSync(join(folder, "questions.json"), "utf8"))
	.map((question) => ({
		...question,
		// 1-based in this data
		pages: JSON.parse(question.evidence_pages).map((page) => `${question.doc_id}#p${page - 1}`),
	}))
	.filter(({ pages }) => pages.length > 0);

const work = await mkdtemp(join(tmpdir(), "hopscope-documents-"));
try {
	const files = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
	const started = performance.now();
	const problems = [];
	await readSources(
		files.map((name) => join(folder, name)),
		{ dir: join(work, "corpus"), name: "documents" },
		{ onProblem: (problem) => problems.push(problem) },
	);
	const seconds = (performance.now() - started) / 1000;
	let pages = 0;
	for await (const report of (await openCorpus(join(work, "corpus"))).documents()) {
		pages += report.pages.count;
		const { source, status, pages: by, counts, characters } = report;
		console.log(
			`${source}: ${status.is}, ${by.count} pages (${by.ok} ok, ${by.partly} partly, ${by.failed} failed), ` +
				`${counts.passage} passages, ${counts.image} figures, ${characters.read} of ${characters.source} characters`,
		);
	}
	for (const { source, message } of problems) console.log(`  ${source}: ${message}`);
	console.log(`${pages} pages in ${seconds.toFixed(1)} s`);
	const text = process.argv[2] && (await openTextEncoder(process.argv[2]));
	await buildKnowledge(join(work, "corpus"), join(work, "knowledge"), text ? { encoders: { text } } : {});
	const knowledge = await openKnowledge(join(work, "knowledge"));
	const ways = { "pages by their text": { through: "pages" }, "pages by their best passage": { through: "passages" } };
	for (const [pool, within] of [
		["all three", () => undefined],
		["its own paper", ({ doc_id }) => doc_id],
	])
		for (const [way, through] of Object.entries(ways))
			for (const mode of ["lexical", "dense", "hybrid"]) {
				const ranks = [];
				for (const question of questions) {
					const document = within(question);
					const filter = document === undefined ? {} : { filter: { document } };
					const query = { text: question.question, target: "page", mode, k: 5, ...through, ...filter };
					const found = await knowledge.search(query);
					ranks.push(found.findIndex(({ id }) => question.pages.includes(id)) + 1);
				}
				const hit = (k) => ranks.filter((rank) => rank > 0 && rank <= k).length;
				console.log(`${pool}, ${way}, ${mode}: hit@1 ${hit(1)}, @3 ${hit(3)}, @5 ${hit(5)} of ${ranks.length}`);
			}
	await knowledge.close();
	if (text) await text.close?.();
} finally {
	await rm(work, { recursive: true, force: true });
}
