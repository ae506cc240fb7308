import { existsSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createCorpus } from "#corpus";
import { type Evidence, usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { fileInside, type Workspace } from "#store";
import type { EncoderOptions } from "./encoders.ts";
import { corpusBehind } from "./knowledge-of.ts";
import { indexCorpus } from "./make-knowledge.ts";
import type { Bench } from "./work.ts";

/**
 * Refuses (exit 2), before anything is done, a name under which a changed benchmark and a knowledge base of its own cannot
 * be written: the source's, or without `force` one that is taken.
 */
export function mustBeFree(
	workspace: Workspace,
	{ name, from, force }: { name: string; from: readonly string[]; force: boolean },
): void {
	const own = [workspace.benchmark(name), workspace.knowledge(name), workspace.corpus(name)];
	const isSource = own.some((dir) => from.some((source) => resolve(source) === dir));
	const markers = ["benchmark.json", "knowledge.json", "corpus.json"];
	const isTaken = own.some((dir, at) => existsSync(join(dir, markers[at] ?? "")));
	if (!isSource && (!isTaken || force)) return;
	throw usageError(
		"benchmark-exists",
		isSource ? `${name} is what the variant is made from` : `there is a benchmark or a knowledge base ${name} already`,
		isSource ? "Choose another name with --to." : "Choose another name, or replace it with --force.",
	);
}

/**
 * Writes a corpus of that name out of what `change` makes of the one behind a knowledge base, and makes it searchable.
 * Answers with how much evidence it holds.
 */
export async function writeVariantKnowledge(
	from: { dir: string },
	{
		name,
		change,
		encoders,
	}: {
		name: string;
		change(evidence: AsyncIterable<Evidence>): AsyncIterable<Evidence>;
		/** What it is made searchable with where that is not what works offline. */
		encoders?: EncoderOptions | undefined;
	},
	bench: Bench,
): Promise<number> {
	const { workspace, signal } = bench;
	const corpus = await corpusBehind(from.dir);
	const { licence, sources } = corpus.manifest;
	const writer = await createCorpus(workspace.corpus(name), { name, licence, sources });
	let count = 0;
	for await (const changed of change(corpus.evidence())) {
		signal.throwIfAborted();
		await copyFiles(changed, { from: corpus.dir, to: writer.dir });
		writer.add(changed);
		count += 1;
	}
	await writer.finish();
	await indexCorpus(name, bench, encoders);
	return count;
}

/** Each evidence changed by itself, or left out. */
export const eachChanged = (change: (evidence: Evidence) => Evidence | undefined) =>
	async function* (all: AsyncIterable<Evidence>): AsyncGenerator<Evidence> {
		for await (const evidence of all) {
			const changed = change(evidence);
			if (changed) yield changed;
		}
	};

/** The best of every kind of evidence that there is, for a text. */
export const searchAll =
	(knowledge: KnowledgeBase) =>
	async (text: string, { k }: { k: number }): Promise<Evidence[]> => {
		const { counts } = knowledge.manifest;
		const kinds = (["passage", "page", "image"] as const).filter((kind) => counts[kind] !== 0);
		const found = await Promise.all(kinds.map((target) => knowledge.search({ text, target, k })));
		const evidence = await Promise.all(found.flat().map(({ id }) => knowledge.evidence(id)));
		return evidence.flatMap((one) => one ?? []);
	};

async function copyFiles(evidence: Evidence, { from, to }: { from: string; to: string }): Promise<void> {
	if (evidence.kind === "passage") return;
	const files = evidence.kind === "page" ? [evidence.file, evidence.image] : [evidence.file];
	for (const file of files) {
		const found = file === undefined ? undefined : fileInside(from, file);
		if (file === undefined || found === undefined || existsSync(join(to, file))) continue;
		await mkdir(dirname(join(to, file)), { recursive: true });
		await copyFile(found, join(to, file));
	}
}
