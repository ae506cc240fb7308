import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import type { Evidence } from "#domain";
import { buildKnowledge, type KnowledgeBase, openKnowledge } from "#knowledge";
import { type RunningServer, type ServerOptions, startServer } from "#server";
import { sha256, writeWhole } from "#store";

export const towns = [
	["lima", "Lima", "Lima is the capital of Peru. It lies on the Pacific coast."],
	["quito", "Quito", "Quito is the capital of Ecuador and stands high in the Andes."],
	["andes#1/a b", "The\nAndes", "The Andes are mountains; rivers rise there and flow to the Amazon."],
	["1984", "1984", "1984 is a novel by George Orwell."],
] as const;

/** A small real knowledge base, served; made before the tests of a file and removed after them. */
export interface World {
	dir: string;
	knowledge: KnowledgeBase;
	/** With all options at their defaults, but for the port. */
	server: RunningServer;
	/** What operators were told. */
	problems: string[];
	/** Another server, over the same knowledge base where none is given. */
	serve(options?: ServerOptions, knowledge?: KnowledgeBase): Promise<RunningServer>;
	/** A file of the corpus. */
	file(name: string): Promise<Buffer>;
	post(path: string, body: unknown, options?: { headers?: Record<string, string>; at?: RunningServer }): Promise<Reply>;
}

export interface Reply {
	status: number;
	headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: answers are looked at in many shapes
	json: any;
}

/** `#corpus`'s own; handed in by the tests, since this room does not import that one. */
type CreateCorpus = (
	dir: string,
	about: { name: string; licence: string; sources: [] },
) => Promise<{ add(evidence: Evidence): void; finish(): Promise<unknown> }>;

export function createWorld(createCorpus: CreateCorpus): World {
	const started: RunningServer[] = [];
	const world = { problems: [] as string[] } as World;
	world.serve = async (options = {}, knowledge = world.knowledge) => {
		const onProblem = (message: string) => void world.problems.push(message);
		const running = await startServer(knowledge, { port: 0, onProblem, ...options });
		started.push(running);
		return running;
	};
	world.file = (name) => readFile(join(world.dir, "corpora/towns", name));
	world.post = async (path, body, { headers = {}, at = world.server } = {}) => {
		const response = await fetch(`${at.url}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: typeof body === "string" ? body : JSON.stringify(body),
		});
		expect(response.headers.get("x-index-hash")).toBe(world.knowledge.manifest.hash);
		return { status: response.status, headers: response.headers, json: await response.json() };
	};
	beforeAll(async () => {
		world.dir = await realpath(await mkdtemp(join(tmpdir(), "hopscope-server-")));
		await writeCorpus(join(world.dir, "corpora/towns"), createCorpus);
		await buildKnowledge(join(world.dir, "corpora/towns"), join(world.dir, "knowledge/towns"));
		world.knowledge = await openKnowledge(join(world.dir, "knowledge/towns"));
		world.server = await world.serve();
	});
	afterAll(async () => {
		await Promise.all(started.map((running) => running.close({ grace: 0 })));
		await world.knowledge.close();
		await rm(world.dir, { recursive: true, force: true });
	});
	return world;
}

async function writeCorpus(dir: string, createCorpus: CreateCorpus): Promise<void> {
	const corpus = await createCorpus(dir, { name: "towns", licence: "CC0-1.0", sources: [] });
	const common = { language: "en", provenance: { source: "test", licence: "CC0-1.0" } };
	for (const [id, title, text] of towns)
		corpus.add({ kind: "passage", id, document: title, title, ...common, sha256: sha256(text), text, form: "prose" });
	const size = { width: 96, height: 64 };
	for (const [name, colour] of [
		["red", "crimson"],
		["blue", "navy"],
	] as const) {
		const file = `images/${name}.png`;
		const bytes = await striped(colour, size);
		await writeWhole(join(dir, file), bytes);
		const caption = `The ${name} flag with a white stripe`;
		const about = { document: "flags", title: `A ${name} flag`, sha256: sha256(bytes), caption, file };
		corpus.add({ kind: "image", id: `flags/${name}`, ...about, ...common, ...size });
	}
	await writeWhole(join(dir, "pages/0.png"), await striped("gold", size));
	await writeWhole(join(dir, "documents/sheet.pdf"), "%PDF-1.7 not really");
	const text = "Population of Lima: ten million.";
	const page = { document: "sheet", title: "Fact sheet", sha256: sha256(text), text, page: 0, label: "i" };
	const files = { file: "documents/sheet.pdf", image: "pages/0.png" };
	corpus.add({ kind: "page", id: "sheet#page=1", ...page, ...common, ...files });
	await corpus.finish();
}

async function striped(colour: string, size: { width: number; height: number }): Promise<Buffer> {
	const stripe = sharp({ create: { width: 20, height: 64, channels: 3, background: "white" } }).png();
	const ground = sharp({ create: { ...size, channels: 3, background: colour } });
	return ground
		.composite([{ input: await stripe.toBuffer(), left: 10, top: 0 }])
		.png()
		.toBuffer();
}
