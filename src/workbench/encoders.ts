import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "#domain";
import {
	cachedImageEncoder,
	cachedPageEncoder,
	cachedTextEncoder,
	openFaissFlat,
	openImageEncoder,
	openPageEncoder,
	openTextEncoder,
	recordVectors,
	type TextEncoder,
} from "#encoders";
import type { BuildEncoders, BuildOptions } from "#knowledge";
import type { Embedder } from "#reports";
import type { Workspace } from "#store";
import { readConfiguration } from "./configuration.ts";

export interface EncoderOptions {
	textEncoder?: string | undefined;
	imageEncoder?: string | undefined;
	pageEncoder?: string | undefined;
	/** Files of a FAISS flat index. */
	vectors?: string[] | undefined;
}

/** Encoders, and vectors that the text encoder made elsewhere. */
export interface OpenedEncoders {
	/** For `buildKnowledge`. */
	options: Pick<BuildOptions, "encoders" | "vectors" | "fresh">;
	/** What of the vectors did not fit the corpus, once it is built. */
	mismatch(): string | undefined;
	close(): Promise<void>;
}

/**
 * Opens the encoders that were named, else those of the workspace's configuration; vectors of models and servers are kept
 * in the workspace's cache.
 */
export async function openEncoders(names: EncoderOptions, workspace: Workspace): Promise<OpenedEncoders> {
	const { pageEncoder, vectors } = names;
	const { encoders: usual = {} } = await readConfiguration(workspace);
	// what made given vectors is said with them
	const textEncoder = names.textEncoder ?? (vectors ? undefined : usual.text);
	const imageEncoder = names.imageEncoder ?? usual.image;
	const cache = join(workspace.dir, "cache", "vectors");
	const encoders: BuildEncoders = {};
	if (textEncoder === "none") encoders.text = false;
	else if (textEncoder !== undefined && textEncoder !== "characters")
		encoders.text = await cachedTextEncoder(await openTextEncoder(textEncoder), cache);
	if (imageEncoder === "none") encoders.image = false;
	else if (imageEncoder !== undefined && imageEncoder !== "layout")
		encoders.image = await cachedImageEncoder(await openImageEncoder(imageEncoder), cache);
	if (pageEncoder !== undefined && pageEncoder !== "none")
		encoders.page = await cachedPageEncoder(await openPageEncoder(pageEncoder), cache);
	const faiss = vectors && (await openFaissFlat(vectors));
	const given = faiss && recordVectors(faiss, madeBy(encoders).about);
	return {
		options: given ? { encoders, vectors: given.of, fresh: true } : { encoders },
		mismatch: () => given?.mismatch(),
		async close() {
			await faiss?.close();
			for (const encoder of Object.values(encoders)) if (encoder) await encoder.close?.();
		},
	};
}

function madeBy({ text }: BuildEncoders): TextEncoder {
	if (text) return text;
	throw usageError(
		"no-encoder",
		"--vectors says nothing of how a question is encoded",
		"Name the encoder that made them with --text-encoder.",
	);
}

/**
 * One line on what a real encoder would give, the first time that a workspace is indexed without one; undefined from then
 * on.
 */
export async function encoderSuggestion(names: EncoderOptions, workspace: Workspace): Promise<string | undefined> {
	const { encoders } = await readConfiguration(workspace);
	if (names.textEncoder !== undefined || names.vectors || encoders?.text !== undefined) return undefined;
	const told = workspace.cache("told-of-encoders");
	if (existsSync(told)) return undefined;
	await mkdir(told, { recursive: true });
	return "searched by words and letters; to find what is said in other words, once: hopscope encoders add e5-small-v2";
}

/** The model that tells how alike two evidences are; its vectors are kept in the workspace's cache. The caller closes it. */
export async function openEmbedder(
	name: string | undefined,
	workspace: Workspace,
): Promise<(Embedder & { close(): Promise<void> }) | undefined> {
	if (name === undefined) return undefined;
	const encoder = await cachedTextEncoder(await openTextEncoder(name), join(workspace.dir, "cache", "vectors"));
	return {
		name: encoder.about.name,
		embed: (texts) => encoder.encodePassages(texts),
		close: async () => encoder.close?.(),
	};
}
