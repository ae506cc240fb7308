import { existsSync } from "node:fs";
import { z } from "zod";
import { freeRecord, usageError } from "#domain";
import { Prices, parseModelName } from "#models";
import { readJson, type Workspace, writeJson } from "#store";

const Limits = z.strictObject({
	/** Requests at the same time, at most. */
	places: z.number().int().min(1).max(1024).optional(),
	requestsPerMinute: z.number().int().positive().optional(),
	tokensPerMinute: z.number().int().positive().optional(),
});

/** Whether calls can be bound to it: a name that no model has would bound nothing without a word. */
function isAccount(name: string): boolean {
	try {
		return parseModelName(/^https?:/.test(name) ? `openai:x@${name}` : `${name}:x`).model === "x";
	} catch {
		return false;
	}
}

/** `hopscope.json` of a workspace: what holds for every command in it. Keys are no part of it. */
const Configuration = z.strictObject({
	prices: Prices.optional(),
	/** By server, e.g. `http://127.0.0.1:8000/v1`, or by provider, e.g. `openai`; the server goes first. */
	limits: freeRecord(Limits)
		.superRefine((limits, { addIssue }) => {
			const message = "name a provider, e.g. openai, or a server, e.g. http://host/v1";
			for (const name of Object.keys(limits)) if (!isAccount(name)) addIssue({ code: "custom", path: [name], message });
		})
		.optional(),
	/** Back ends of web tools; the agents say what of it they understand. */
	web: freeRecord(z.unknown()).optional(),
	/** What holds of every request to a model, by its name as a run gives it. */
	models: freeRecord(z.strictObject({ request: freeRecord(z.unknown()).optional() })).optional(),
	/** The model that grades answers. */
	judge: z.string().min(1).optional(),
	/** What `index` encodes with where nothing is said, as its options name it. */
	encoders: z.strictObject({ text: z.string().min(1).optional(), image: z.string().min(1).optional() }).optional(),
});
export type Configuration = z.infer<typeof Configuration>;

/** Reads the workspace's configuration; a workspace without one has an empty one. */
export async function readConfiguration(workspace: Pick<Workspace, "configuration">): Promise<Configuration> {
	const { configuration: file } = workspace;
	if (!existsSync(file)) return {};
	mustHoldNoSecret(await readJson(file, z.unknown()), file);
	return readJson(file, Configuration);
}

/** Replaces the workspace's configuration. */
export async function writeConfiguration(
	workspace: Pick<Workspace, "configuration">,
	configuration: Configuration,
): Promise<void> {
	await writeJson(workspace.configuration, Configuration.parse(configuration));
}

/** A file in a workspace is shown, copied and committed; a key in it would be too. */
function mustHoldNoSecret(value: unknown, file: string): void {
	if (value === null || typeof value !== "object") return;
	for (const [name, inner] of Object.entries(value)) {
		if (/^(?:.*[-_]?key|.*secret|password|token|authorization)$/i.test(name) && typeof inner === "string")
			throw usageError(
				"secret-in-file",
				`${file} holds "${name}", which looks like a secret`,
				"Take it out, and give it through the environment, e.g. OPENAI_API_KEY.",
			);
		mustHoldNoSecret(inner, file);
	}
}
