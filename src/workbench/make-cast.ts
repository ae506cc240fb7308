import { remembering, usageError } from "#domain";
import type { ChatModel } from "#models";
import { modelAccess, parseModelName } from "#models";
import type { Recipe } from "#recipes";
import type { Bench } from "./work.ts";

/** Which model plays which role, by name: one for all, and others for single roles. */
export function castOf(
	{ name, roles }: Pick<Recipe, "name" | "roles">,
	{ model, role: given = [] }: { model?: string | undefined; role?: readonly string[] | undefined },
	bench: Pick<Bench, "say" | "environment">,
): Record<string, string> {
	const named = Object.fromEntries(given.map((text) => roleIn(text, { name, roles })));
	const cast: Record<string, string> = {};
	for (const role of Object.keys(roles)) {
		const player = named[role] ?? model;
		if (player !== undefined) cast[role] = player;
	}
	// one model for all: a role that must be another's, and that can be done without, stays empty
	for (const [role, { optional, differsFrom = [] }] of Object.entries(roles)) {
		const same = differsFrom.find(
			(other) => cast[other] !== undefined && idOf(cast[other], bench) === idOf(cast[role] ?? "", bench),
		);
		if (!optional || named[role] !== undefined || cast[role] === undefined || same === undefined) continue;
		delete cast[role];
		bench.say(
			`nobody is ${role}: it must be another model than the ${same} (--role ${role}=NAME); its checks are skipped`,
		);
	}
	return cast;
}

/** The cast as models; a name that two roles share is opened once. */
export function openCast(cast: Record<string, string>, open: (name: string) => ChatModel): Record<string, ChatModel> {
	const opened = remembering(open);
	return Object.fromEntries(Object.entries(cast).map(([role, name]) => [role, opened(name)]));
}

/** The id under which a model of that name is recorded. */
export const idOf = (name: string, { environment }: Pick<Bench, "environment">): string =>
	name === "" ? "" : parseModelName(name, modelAccess(name, environment)).id;

function roleIn(text: string, { name, roles }: Pick<Recipe, "name" | "roles">): [string, string] {
	const at = text.indexOf("=");
	const role = text.slice(0, Math.max(at, 0));
	if (at > 0 && at < text.length - 1 && Object.hasOwn(roles, role)) return [role, text.slice(at + 1)];
	throw usageError(
		"bad-role",
		at > 0 ? `the recipe ${name} has no role "${role}"` : `--role takes ROLE=MODEL, not "${text}"`,
		`Its roles: ${Object.keys(roles).join(", ") || "none"}.`,
	);
}
