import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RunManifest } from "#domain";
import { canonicalJson, readJson, sha256, writeJson } from "#store";
import { essentials } from "../run-folder.ts";

/** `suite.json`: which run belongs to which combination. */
const SuiteManifest = z.object({
	version: z.literal(1),
	name: z.string(),
	runs: z.array(
		z.object({
			/** SHA-256 over all that the numbers of the run depend on: whatever of it changes makes it another run. */
			key: z.string(),
			run: z.string(),
			agent: z.string(),
			model: z.string().nullable(),
			setting: z.string(),
			benchmark: z.string(),
		}),
	),
});
type SuiteManifest = z.infer<typeof SuiteManifest>;

export interface SuiteFolder {
	/** The planned run under the id that it was begun with, if it was. */
	begun(manifest: RunManifest): RunManifest;
	/** Keeps which run a combination belongs to, before the run is made. */
	keep(manifest: RunManifest): Promise<void>;
}

/**
 * What makes two planned runs the same one: what their records depend on, and how they are scored. `hopscope`, which is
 * what runs were planned for before they could say, is as nothing said.
 */
export const runKey = (manifest: RunManifest): string => {
	const { scoring } = manifest;
	const scored = scoring === undefined || scoring === "hopscope" ? {} : { scoring };
	return sha256(canonicalJson({ ...essentials(manifest), ...scored }));
};

/** Opens the folder of a suite; nothing is made until a run is kept. */
export async function openSuiteFolder(dir: string, { name }: { name: string }): Promise<SuiteFolder> {
	const file = join(dir, "suite.json");
	const kept: SuiteManifest = existsSync(file) ? await readJson(file, SuiteManifest) : { version: 1, name, runs: [] };
	const runOf = (key: string) => kept.runs.find((one) => one.key === key);
	return {
		begun(manifest) {
			const found = runOf(runKey(manifest));
			return found ? { ...manifest, id: found.run } : manifest;
		},
		async keep(manifest) {
			const key = runKey(manifest);
			if (runOf(key)) return;
			const { id, agent, model, setting, benchmark } = manifest;
			kept.runs.push({ key, run: id, agent: agent.name, model, setting: setting.name, benchmark: benchmark.name });
			await writeJson(file, kept);
		},
	};
}
