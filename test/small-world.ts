/** A small invented world as a workspace on disk, for whole paths that need no more: the Atlas takes a minute to make. */
import { join } from "node:path";
import sharp from "sharp";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { Evidence, type ImageRef, Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { openWorkspace, sha256, type Workspace, writeWhole } from "#store";
import { inventedWorld } from "./support/agents/invented-world.ts";

export interface SmallWorld {
	workspace: Workspace;
	corpus: string;
	knowledge: string;
	benchmark: string;
	evidence: Evidence[];
}

/**
 * Writes countries with their flags, articles, capitals and fact sheets, and four tasks of each: one of words, one that
 * starts from an image, one that computes, one of a page. Corpus, knowledge base and benchmark are called `lands`.
 */
export async function makeSmallWorld(dir: string, { countries = 8 } = {}): Promise<SmallWorld> {
	const workspace = openWorkspace(dir);
	const at = (room: string) => join(dir, room, "lands");
	const [corpus, knowledge, benchmark] = [at("corpora"), at("knowledge"), at("benchmarks")];
	const invented = inventedWorld(countries);
	const about = { name: "lands", licence: "CC0-1.0", sources: [] };
	const writer = await createCorpus(corpus, about);
	const evidence: Evidence[] = [];
	for (const item of invented.evidence) {
		const written =
			item.kind === "image" ? { ...item, ...(await drawFlag(corpus, item.file, numberOf(item.id))) } : item;
		evidence.push(written);
		writer.add(written);
	}
	const tasks: Task[] = [];
	for (const article of invented.evidence) {
		if (article.kind !== "passage" || !article.id.startsWith("country/")) continue;
		const { page, task } = factSheet(article);
		evidence.push(page);
		writer.add(page);
		tasks.push(task);
	}
	await writer.finish();
	await buildKnowledge(corpus, knowledge);
	for (const task of invented.tasks) {
		const images: ImageRef[] = [];
		for (const image of task.images) {
			const file = `images/${numberOf(task.id)}.jpg`;
			images.push({ ...image, file, ...(await drawFlag(benchmark, file, numberOf(task.id))) });
		}
		tasks.push(Task.parse({ ...task, images }));
	}
	const manifest = { ...about, title: "Lands", description: "Invented lands.", knowledge: "lands" };
	await writeBenchmark(benchmark, { manifest, tasks, card: "# Lands" });
	return { workspace, corpus, knowledge, benchmark, evidence };
}

/** A page with what an article says of a country and its anthem, and a task that asks for the anthem. */
function factSheet(article: { id: string; title: string; text: string }): { page: Evidence; task: Task } {
	const { title: country } = article;
	const n = numberOf(article.id);
	const id = `sheet/${n}#0`;
	const text = `Fact sheet of ${country}\n${article.text}\nThe anthem of ${country} is the Song of the ${country} Coast.`;
	const answer = (value: string) => ({ type: "string", value, accepted: [value] });
	const anthem = answer(`Song of the ${country} Coast`);
	const about = { document: `sheet/${n}`, title: `Fact sheet of ${country}`, language: "en", text, page: 0 };
	return {
		page: Evidence.parse({ kind: "page", id, ...about, sha256: sha256(text), provenance: { source: "invented" } }),
		task: Task.parse({
			id: `anthem-${n}`,
			question: `What is the anthem of ${country}?`,
			answer: anthem,
			chain: {
				hops: [
					{ id: "a", question: `What is the anthem of ${country}?`, modality: "page", evidence: [id], answer: anthem },
				],
				sink: "a",
			},
			tags: { language: "en" },
		}),
	};
}

const numberOf = (id: string) => Number(/\d+$/.exec(id)?.[0]);

/** Three stripes of colours and with a disc of a size that no other flag has. */
async function drawFlag(folder: string, file: string, n: number) {
	const stripe = (at: number) => `hsl(${(n * 83 + at * 131) % 360} 70% ${35 + at * 15}%)`;
	const stripes = [0, 1, 2].map((at) => `<rect y="${at * 54}" width="240" height="54" fill="${stripe(at)}"/>`).join("");
	const disc = `<circle cx="80" cy="80" r="${16 + n * 5}" fill="#fff"/>`;
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160">${stripes}${disc}</svg>`;
	const drawn = sharp(Buffer.from(svg));
	const bytes = await (file.endsWith(".jpg") ? drawn.flatten().jpeg() : drawn.png()).toBuffer();
	await writeWhole(join(folder, file), bytes);
	return { width: 240, height: 160, sha256: sha256(bytes) };
}
