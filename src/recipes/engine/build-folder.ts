import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { freeRecord, Item, Json, Reason, software } from "#domain";
import type { ChatModel } from "#models";
import { canonicalJson, readJson, readJsonl, sha256, writeJson, writeWhole } from "#store";
import { FunnelRow } from "./funnel.ts";
import type { Recipe } from "./recipe.ts";
import { type StageContext, StageFault } from "./stage.ts";

/** `build.json`: everything that the items of a build depend on. */
export const BuildManifest = z.object({
	version: z.literal(1),
	recipe: z.object({ name: z.string(), version: z.string() }),
	params: Json,
	seed: z.number().int(),
	/** Model id by role. */
	models: freeRecord(z.string()),
	/** Hashes of what was read: knowledge base, corpus, graph, seed questions. */
	inputs: freeRecord(z.string()),
	/** Over all of the above. */
	fingerprint: z.string(),
	software: z.object({ hopscope: z.string(), node: z.string() }),
});
export type BuildManifest = z.infer<typeof BuildManifest>;

/** `funnel.json`, written at the end of every process that worked on the build. */
export const BuildFunnel = z.object({
	accepted: z.number().int().min(0),
	faults: z.number().int().min(0),
	/** Whether the process came to the end: as many items as wanted, or no more to be had. */
	complete: z.boolean().default(true),
	rows: z.array(FunnelRow),
});
export type BuildFunnel = z.infer<typeof BuildFunnel>;

/** A line of `dropped.jsonl`: for people, not needed to resume. */
const Dropped = z.object({
	stage: z.string(),
	id: z.string(),
	reason: Reason,
	detail: z.string().optional(),
	question: z.string().optional(),
});
type Dropped = z.infer<typeof Dropped>;

/** A line of `faults.jsonl`: an input in quarantine. */
const Faulted = z.object({ stage: z.string(), input: z.string(), error: z.string() });
type Faulted = z.infer<typeof Faulted>;

export const itemsFile = (dir: string): string => join(dir, "items.jsonl");
export const droppedFile = (dir: string): string => join(dir, "dropped.jsonl");
export const faultsFile = (dir: string): string => join(dir, "faults.jsonl");
export const funnelFile = (dir: string): string => join(dir, "funnel.json");

/** The manifest of a build as it would be made. */
export function buildManifest(
	{ name, version }: Pick<Recipe, "name" | "version">,
	about: {
		params: unknown;
		seed: number;
		models: Readonly<Record<string, Pick<ChatModel, "id">>>;
		inputs: Record<string, string>;
	},
): BuildManifest {
	const params = Json.parse(JSON.parse(JSON.stringify(about.params ?? null)));
	const models = Object.fromEntries(Object.entries(about.models).map(([role, { id }]) => [role, id]));
	const decided = { recipe: { name, version }, params, seed: about.seed, models, inputs: about.inputs };
	const { hopscope, node } = software();
	return {
		version: 1,
		...decided,
		fingerprint: sha256(canonicalJson(decided)),
		software: { hopscope, node },
	};
}

export const writeBuildManifest = (dir: string, manifest: BuildManifest): Promise<void> =>
	writeJson(join(dir, "build.json"), manifest);

/** Opens a build that was run before. */
export async function openBuild(dir: string): Promise<{ manifest: BuildManifest; funnel: BuildFunnel }> {
	const manifest = await readJson(join(dir, "build.json"), BuildManifest);
	const funnel = await readJson(funnelFile(dir), BuildFunnel);
	return { manifest, funnel };
}

/** The accepted items of a finished build, in their order. */
export const buildItems = (dir: string): AsyncGenerator<Item> => readJsonl(itemsFile(dir), Item);

/** What the last process dropped. */
export const buildDrops = (dir: string): AsyncGenerator<Dropped> => readJsonl(droppedFile(dir), Dropped);

/** What the last process left in quarantine. */
export const buildFaults = (dir: string): AsyncGenerator<Faulted> => readJsonl(faultsFile(dir), Faulted);

const extensions: Record<string, string> = {
	jpeg: "jpg",
	png: "png",
	webp: "webp",
	gif: "gif",
	avif: "avif",
	tiff: "tif",
};

/** Keeps images below `images/` of a build, named by their content: the same image is kept once. */
export function imageKeeper(dir: string): StageContext["keepImage"] {
	return async (image, about) => {
		const data = typeof image === "string" ? await readFile(image) : image;
		const { format, autoOrient } = await sharp(data)
			.metadata()
			.catch((error: unknown) => {
				throw new StageFault(`the image ${about.id} cannot be read: ${(error as Error).message}`);
			});
		const hash = sha256(data);
		const file = `images/${hash.slice(0, 32)}.${extensions[format] ?? format}`;
		const place = join(dir, file);
		if (!existsSync(place)) await writeWhole(place, data);
		const { id, ...rest } = about;
		return { id, file, width: autoOrient.width, height: autoOrient.height, sha256: hash, ...rest };
	};
}
