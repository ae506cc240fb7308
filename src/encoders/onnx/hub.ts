import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { readJson, writeJson } from "#store";
import type { Overrides } from "../encoder-name.ts";
import { attempts, fetchFile, hubFailure, isWhole, mostListBytes, piecesOf, remedy } from "./download.ts";
import { configFiles, modelPaths } from "./model-folder.ts";

/** Where models come from and are kept. */
export interface HubOptions {
	/** Default: `HF_ENDPOINT`, else the public hub. */
	hubUrl?: string | undefined;
	/** Default: `HOPSCOPE_CACHE`, else `~/.cache/hopscope`. */
	cacheDir?: string | undefined;
	/** Told of each file before it is fetched. */
	onDownload?: ((file: string, bytes: number) => void) | undefined;
	/** Before a failed request is tried again; doubled each time. */
	retryMs?: number;
	signal?: AbortSignal | undefined;
}

/** Where models are kept. */
export const cacheFolder = ({ cacheDir }: Pick<HubOptions, "cacheDir">): string =>
	cacheDir ?? process.env.HOPSCOPE_CACHE ?? join(homedir(), ".cache", "hopscope");

/** More is refused: a model of this size is for a server. */
const mostModelBytes = 16 * 1024 ** 3;

const hex = z.string().regex(/^[0-9a-f]{6,64}$/);
/** What is read of a repository's description with `blobs=true`. */
const Repository = z.object({
	sha: hex,
	siblings: z
		.array(
			z.object({
				rfilename: z.string().min(1).max(1000),
				size: z.number().int().min(0).optional(),
				lfs: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().min(0) }).nullish(),
			}),
		)
		.max(100_000),
});
type File = z.infer<typeof Repository>["siblings"][number];
const Reference = z.object({ commit: hex });

export const isHubId = (model: string) => /^[\w][\w.-]{0,95}\/[\w][\w.-]{0,95}$/.test(model) && !model.includes("..");

/**
 * A folder with a hub's model: the one kept from before, or fetched now, file by file, each put in its place only when
 * whole and, where the hub tells its hash, checked. What an interrupted download left is continued. A branch stays at
 * the commit first fetched, so that the same name gives the same vectors; remove its folder to follow the branch.
 */
export async function hubFolder(id: string, overrides: Overrides, options: HubOptions = {}): Promise<string> {
	const { revision = "main", dtype } = overrides;
	const home = join(cacheFolder(options), "models", id.replace("/", "--"));
	const reference = join(home, "refs", `${revision}.json`);
	const done = (commit: string) => join(home, commit, `.whole-${dtype ?? "any"}`);
	if (existsSync(reference)) {
		const { commit } = await readJson(reference, Reference);
		if (existsSync(done(commit))) return join(home, commit);
	}
	const hub = (options.hubUrl ?? process.env.HF_ENDPOINT ?? "https://huggingface.co").replace(/\/+$/, "");
	const repository = await describe(
		`${hub}/api/models/${id}/revision/${encodeURIComponent(revision)}?blobs=true`,
		id,
		options,
	);
	const files = wanted(repository.siblings, id, dtype);
	const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
	if (total > mostModelBytes)
		throw hubFailure(`${id} is ${Math.round(total / 1e9)} GB`, "Serve it, and name it as openai:MODEL@http://host/v1.");
	for (const file of files) {
		const place = join(home, repository.sha, file.rfilename);
		if (await isWhole(place, expectedOf(file))) continue;
		options.onDownload?.(file.rfilename, sizeOf(file));
		await fetchFile(`${hub}/${id}/resolve/${repository.sha}/${file.rfilename}`, place, expectedOf(file), options);
	}
	await writeJson(done(repository.sha), { files: files.map((file) => file.rfilename) });
	await writeJson(reference, { commit: repository.sha });
	return join(home, repository.sha);
}

const sizeOf = (file: File) => file.lfs?.size ?? file.size ?? 0;
const expectedOf = (file: File) => ({ bytes: file.lfs?.size ?? file.size, sha256: file.lfs?.sha256 });

/** Which of a repository's files an encoder needs: its configuration, and its towers in the precision asked for. */
function wanted(siblings: File[], id: string, dtype: Overrides["dtype"]): File[] {
	const byName = new Map(siblings.map((file) => [file.rfilename, file]));
	const towers = ["model", "text_model", "vision_model"].flatMap((name) => {
		const found = modelPaths(name, dtype).find((path) => byName.has(path));
		return found ? [found, `${found}_data`] : [];
	});
	// Two towers and a model of both: the towers suffice.
	const needed = towers.some((name) => basename(name).startsWith("vision_model"))
		? towers.filter((name) => !basename(name).startsWith("model"))
		: towers;
	if (needed.length === 0)
		throw hubFailure(
			`${id} holds no ONNX model; looked for ${modelPaths("model", dtype).join(", ")}`,
			"Many models have a conversion under another owner (onnx-community, Xenova); or serve the model.",
		);
	return [...configFiles, ...needed].flatMap((name) => byName.get(name) ?? []);
}

async function describe(url: string, id: string, options: HubOptions): Promise<z.infer<typeof Repository>> {
	return attempts(options, async (signal) => {
		const response = await fetch(url, { signal });
		if (response.status === 401 || response.status === 403 || response.status === 404)
			throw hubFailure(`${id} is not at ${new URL(url).origin}, or not public (HTTP ${response.status})`, remedy);
		if (!response.ok) throw new Error(`HTTP ${response.status}`);
		const chunks: Uint8Array[] = [];
		let length = 0;
		for await (const chunk of piecesOf(response)) {
			length += chunk.byteLength;
			if (length > mostListBytes) throw hubFailure(`the description of ${id} is too long`, remedy);
			chunks.push(chunk);
		}
		const parsed = Repository.safeParse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
		if (!parsed.success) throw hubFailure(`the hub's description of ${id} does not fit`, remedy);
		return parsed.data;
	});
}
