import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { runKey } from "#runs";
import { canonicalJson, readJson, sha256, writeJson } from "#store";
import type { SuiteRun } from "../plan-suite.ts";
import type { AskedSweep } from "./plan-sweep.ts";

/** `sweep.json`, beside a sweep's `suite.json`: who was dropped at which look, so that a resumed sweep decides nothing anew. */
const Decisions = z.object({
	version: z.literal(1),
	/** SHA-256 over the settings and the rules: of others, these decisions say nothing. */
	key: z.string(),
	looks: z.array(
		z.object({
			/** Tasks that every setting that was still in had answered. */
			tasks: z.number().int().positive(),
			/** Runs that were dropped then, or failed. */
			dropped: z.array(z.string()),
			failed: z.array(z.string()),
		}),
	),
});
type Decisions = z.infer<typeof Decisions>;
export type Look = Decisions["looks"][number];

export interface KeptDecisions {
	looks: readonly Look[];
	keep(look: Look): Promise<void>;
}

export async function openDecisions(
	dir: string,
	{ runs, sweep: { rules, seed } }: { runs: readonly SuiteRun[]; sweep: AskedSweep },
): Promise<KeptDecisions> {
	const file = join(dir, "sweep.json");
	const { metric, alpha, margin } = rules;
	const settings = runs.map(({ manifest }) => runKey(manifest)).sort();
	const key = sha256(canonicalJson([settings, metric.name, alpha, margin, seed]));
	const before = existsSync(file) ? await readJson(file, Decisions) : undefined;
	const looks = before?.key === key ? before.looks : [];
	return {
		looks,
		async keep(look) {
			looks.push(look);
			await writeJson(file, { version: 1, key, looks } satisfies Decisions);
		},
	};
}
