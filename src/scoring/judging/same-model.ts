import { type RunManifest, type RunRecord, usageError, withoutServer } from "#domain";

/**
 * Whether a model that was asked by its id, or that a provider says has answered, is the judge, whoever serves the two:
 * `openai:gpt-5` is `openai:openai/gpt-5@https://…`. Names with a version behind them are other models.
 */
export function isJudge(judge: string, other: { id: string } | { served: string }): boolean {
	return published(asked(judge)) === published("id" in other ? asked(other.id) : other.served);
}

/** An id without provider and server. */
const asked = (id: string): string => withoutServer(id).replace(/^[a-z][a-z0-9-]*:/i, "");

/** A name without the folder that it is published in. */
const published = (name: string): string =>
	name
		.slice(name.lastIndexOf("/") + 1)
		.trim()
		.toLowerCase();

/**
 * The name by which a judge is among the models that answered, as planned or as served; undefined where it is another.
 * Refused (exit 2) where it is, unless the user insists.
 */
export function sameModelIn(
	{ manifest, records }: { manifest: Pick<RunManifest, "model">; records: readonly RunRecord[] },
	{ id }: { id: string },
	{ allowSameModel = false }: { allowSameModel?: boolean | undefined } = {},
): string | undefined {
	const { model } = manifest;
	const served = records.flatMap(({ trajectory }) => trajectory.served?.models ?? []);
	const same =
		model !== null && isJudge(id, { id: model }) ? model : served.find((one) => isJudge(id, { served: one }));
	if (same !== undefined && !allowSameModel)
		throw usageError(
			"judge-is-judged",
			`the judge ${id} is the model that gave the answers (${same})`,
			"Name another model, or insist with --allow-same-model; the verdicts are then marked.",
		);
	return same;
}
