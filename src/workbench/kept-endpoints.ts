import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Ability, abilities, Endpoint } from "#domain";
import { readJson, type Workspace, writeJson } from "#store";

const fileOf = (workspace: Workspace, model: string) =>
	join(workspace.cache("endpoints"), `${createHash("sha256").update(model).digest("hex").slice(0, 16)}.json`);

/** Keeps what test calls showed of a model's server, for the runs that follow. */
export async function keepEndpoint(workspace: Workspace, endpoint: Endpoint): Promise<void> {
	await mkdir(workspace.cache("endpoints"), { recursive: true });
	await writeJson(fileOf(workspace, endpoint.model), endpoint);
}

/** What was kept of a model's server; a file that cannot be read counts as none. */
export async function keptEndpoint(workspace: Workspace, model: string): Promise<Endpoint | undefined> {
	const file = fileOf(workspace, model);
	return existsSync(file) ? await readJson(file, Endpoint).catch(() => undefined) : undefined;
}

/** What a server declares now, with what tests of the same server once showed of the rest. */
export function joinedEndpoint(declared: Endpoint, kept: Endpoint | undefined): Endpoint {
	const same = declared.server?.name === kept?.server?.name && declared.server?.version === kept?.server?.version;
	if (!kept?.tested || !same) return declared;
	const can = { ...declared.can };
	for (const ability of Object.keys(abilities) as Ability[])
		if (can[ability].is === "unknown" && kept.can[ability].from === "tested") can[ability] = kept.can[ability];
	return { ...declared, can, tested: kept.tested };
}
