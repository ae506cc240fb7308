import { resolve } from "node:path";
import { HopscopeError, usageError } from "#domain";
import { isService } from "#store";
import type { KnowledgeBase } from "../knowledge-base.ts";
import { asker } from "./ask.ts";
import { type Environment, readConnection } from "./connection.ts";
import { indexServed, serverOf } from "./hopscope-server.ts";
import { type NamedService, openService } from "./open-service.ts";

/** Opens the search engine that an address names, or the connection in a folder. */
export async function openNamed(dir: string, environment: Environment): Promise<KnowledgeBase> {
	return openService(
		isService(dir)
			? await connectionTo(dir, environment)
			: { dir: resolve(dir), connection: await readConnection(dir) },
		environment,
	);
}

/** An address alone: a server of Hopscope's, else a service that takes and gives what the published servers do. */
async function connectionTo(dir: string, environment: Environment): Promise<NamedService> {
	const url = URL.canParse(dir) ? new URL(dir) : undefined;
	if (!url || url.username || url.password || url.search || url.hash)
		throw usageError(
			"bad-address",
			url ? "an address of a search engine holds no name, password or query" : `"${dir}" is no address`,
			"Write http://HOST/retrieve; what else it takes goes into a file: hopscope knowledge connect NAME FILE.",
		);
	const address = dir.replace(/\/+$/, "");
	const plain = { kind: "http", address, timeout: 30, method: "POST", fields: {} } as const;
	const served = await indexServed(asker(plain, environment), address).catch((error: unknown) => {
		// another server says that it does not know the route, in one way or another
		if (error instanceof HopscopeError && error.exitCode === 2 && error.facts.status !== 401) return undefined;
		throw error;
	});
	return { dir: address, connection: served ? { kind: "hopscope", address: serverOf(address), timeout: 30 } : plain };
}
