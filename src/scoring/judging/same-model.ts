/**
 * Whether a model that was asked by its id, or that a provider says has answered, is the judge, whoever serves the two:
 * `openai:gpt-5` is `openai:openai/gpt-5@https://…`. Names with a version behind them are other models.
 */
export function isJudge(judge: string, other: { id: string } | { served: string }): boolean {
	return published(asked(judge)) === published("id" in other ? asked(other.id) : other.served);
}

/** An id without provider and server. */
const asked = (id: string): string => (id.split(/@https?:\/\//)[0] ?? "").replace(/^[a-z][a-z0-9-]*:/i, "");

/** A name without the folder that it is published in. */
const published = (name: string): string =>
	name
		.slice(name.lastIndexOf("/") + 1)
		.trim()
		.toLowerCase();
