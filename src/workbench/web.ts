import { createWeb, RecordedPictureSearch, type Web, WebConfiguration } from "#agents";
import { usageError } from "#domain";
import { readAllJsonl } from "#store";
import type { Configuration } from "./configuration.ts";
import type { Models } from "./models.ts";
import type { Bench } from "./work.ts";

/**
 * The web as the workspace configures it, if it does; in a replay, only what was recorded of it. Keys are read from the
 * environment.
 */
export async function configuredWeb(
	{ web }: Pick<Configuration, "web">,
	{
		bench: { workspace, environment },
		models,
		replay = false,
		needsPrice = false,
	}: {
		bench: Bench;
		models: Models;
		replay?: boolean | undefined;
		/** Refuses (exit 2) a summariser whose price is not written down. */
		needsPrice?: boolean;
	},
): Promise<Web | undefined> {
	if (!web) return undefined;
	const parsed = WebConfiguration.safeParse(web);
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		throw usageError(
			"bad-web-configuration",
			`${workspace.configuration}: at ${["web", ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "does not fit"}`,
			"Mend this file.",
		);
	}
	const { pictures } = parsed.data;
	const live = replay ? {} : parsed.data;
	const offered = pictures?.by === "recorded" ? { ...live, pictures } : live;
	const { read } = offered;
	const summariser = read?.summariser === undefined ? undefined : models.open(read.summariser, { needsPrice });
	const recorded = pictures?.by === "recorded" ? await readAllJsonl(pictures.file, RecordedPictureSearch) : [];
	return createWeb(offered, { keys: environment, summariser, recorded });
}
