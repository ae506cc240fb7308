import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { HopscopeError, type KnowledgeManifest, usageError } from "#domain";
import { connectionName, openConnection, parseConnection } from "#knowledge";
import { writeJson } from "#store";
import { rememberAddress } from "./addresses.ts";
import { exists } from "./locate.ts";
import type { Bench } from "./work.ts";

/** A search engine elsewhere that has a name in the workspace. */
export interface Connected {
	name: string;
	/** The folder of its connection. */
	dir: string;
	service: NonNullable<KnowledgeManifest["service"]>;
	indexes: string[];
}

/** Gives a search engine elsewhere a name in the workspace, by a file that says how it is asked; it has to answer. */
export async function connectKnowledge(name: string, file: string, bench: Bench): Promise<Connected> {
	const { workspace, environment = process.env } = bench;
	const dir = workspace.knowledge(name);
	if (await exists(join(dir, "knowledge.json")))
		throw usageError("name-taken", `${name} is a knowledge base of this workspace`, "Choose another name.");
	const connection = parseConnection(await writtenIn(file), file);
	const knowledge = await openConnection({ dir, connection }, environment);
	try {
		const { service, indexes } = knowledge.manifest;
		if (!service) throw new Error("a connection opened without a service");
		await writeJson(join(dir, connectionName), connection);
		await rememberAddress(workspace, connection.address);
		return { name, dir, service, indexes: indexes.map((index) => index.name) };
	} finally {
		await knowledge.close();
	}
}

/** YAML or JSON, which is YAML too. */
async function writtenIn(file: string): Promise<unknown> {
	const text = await readFile(file, "utf8").catch((cause: unknown) => {
		throw usageError("missing-file", `${file} cannot be read`, "Check the path.", { cause });
	});
	try {
		return parse(text, { maxAliasCount: 0 });
	} catch (cause) {
		throw new HopscopeError("bad-connection", `${file} is neither YAML nor JSON`, "Check its indentation and quotes.", {
			...{ cause, exitCode: 2 },
		});
	}
}
