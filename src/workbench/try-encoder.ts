import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCorpus } from "#corpus";
import type { ImageEncoder, TextEncoder } from "#encoders";
import { buildKnowledge, type KnowledgeBase, openKnowledge, type SearchMode } from "#knowledge";
import { sha256 } from "#store";
import { elsewhere, trialPassages, trialPictures, trialQuestions } from "./trial-set.ts";

/** What an encoder did on this machine, over the questions or pictures of the trial set. */
export interface Trial {
	/** Questions, or drawings asked for by words. */
	of: number;
	/**
	 * How many had the right one first: by this encoder; of texts also by BM25, by the offline encoder, and by this one
	 * fused with BM25.
	 */
	first: { encoder: number; words?: number; letters?: number; both?: number };
	/** Of questions in other languages than the passages', by the encoder alone. */
	elsewhere?: { first: number; of: number };
	/** Texts, or pictures, encoded in a second. */
	perSecond: number;
}

/**
 * Searches the passages of the trial set by words, by the offline encoder and by this one, as a knowledge base does; the
 * encoder stays open.
 */
export async function tryTextEncoder(text: TextEncoder): Promise<Trial> {
	const dir = await mkdtemp(join(tmpdir(), "hopscope-trial-"));
	const opened: KnowledgeBase[] = [];
	try {
		const corpus = await createCorpus(join(dir, "corpus"), { name: "trial", licence: "CC0-1.0", sources: [] });
		for (const [at, passage] of trialPassages.entries())
			corpus.add({
				...{ kind: "passage", id: idOf(at), document: `trial-${at}`, title: "", language: "en", form: "prose" },
				...{ text: passage, sha256: sha256(passage), provenance: { source: "trial" } },
			});
		await corpus.finish();
		const by = async (encoders: { text?: TextEncoder }) => {
			const folder = join(dir, encoders.text ? "named" : "offline");
			await buildKnowledge(join(dir, "corpus"), folder, { encoders });
			const knowledge = await openKnowledge(folder, { encoders });
			opened.push(knowledge);
			return knowledge;
		};
		const offline = await by({});
		const named = await by({ text });
		return {
			of: trialQuestions.length,
			first: {
				words: await firstOf(trialQuestions, offline, "lexical"),
				letters: await firstOf(trialQuestions, offline, "dense"),
				encoder: await firstOf(trialQuestions, named, "dense"),
				both: await firstOf(trialQuestions, named, "hybrid"),
			},
			elsewhere: { first: await firstOf(elsewhere, named, "dense"), of: elsewhere.length },
			perSecond: await speedOf(trialPassages.length, () => text.encodePassages([...trialPassages])),
		};
	} finally {
		for (const one of opened) await one.close();
		await rm(dir, { recursive: true, force: true });
	}
}

const idOf = (at: number) => `trial#${at}`;

async function firstOf(asked: typeof trialQuestions, knowledge: KnowledgeBase, mode: SearchMode): Promise<number> {
	let first = 0;
	for (const { question, passage } of asked) {
		const [found] = await knowledge.search({ text: question, target: "passage", mode, k: 1 });
		if (found?.id === idOf(passage)) first += 1;
	}
	return first;
}

/** Asks for each drawing of the trial set by words, by nearness in the encoder's space; undefined where it has no texts. */
export async function tryImageEncoder(image: ImageEncoder): Promise<Trial | undefined> {
	if (!image.encodeTexts) return undefined;
	const pictures = await Promise.all(trialPictures.map(({ svg }) => drawn(svg)));
	let vectors: Float32Array[] = [];
	const perSecond = await speedOf(pictures.length, async () => {
		vectors = await image.encodeImages(pictures);
	});
	const words = await image.encodeTexts(trialPictures.map((one) => one.words));
	const nearest = words.map((word) => {
		const near = vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * (word[at] ?? 0), 0));
		return near.indexOf(Math.max(...near));
	});
	return { of: pictures.length, first: { encoder: nearest.filter((found, at) => found === at).length }, perSecond };
}

async function drawn(svg: string): Promise<Buffer> {
	const { default: sharp } = await import("sharp");
	return sharp(Buffer.from(svg), { density: 288 }).png().toBuffer();
}

async function speedOf(count: number, encode: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await encode();
	return (count / (performance.now() - started)) * 1000;
}
