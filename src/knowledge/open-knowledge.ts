import type { KnowledgeBase } from "./knowledge-base.ts";
import type { OpenOptions } from "./query-encoders.ts";
import type { NamedService } from "./service/open-service.ts";

/**
 * Opens the knowledge base in `dir`; a missing, unfinished or damaged one is an error (exit 2). Encoders are opened by
 * the names in the manifest when a query first needs them, or given here: one that the index was not made with is an
 * error of code `other-encoder`. What reads it is loaded now, since many who could open one never do.
 */
export async function openKnowledge(dir: string, options: OpenOptions = {}): Promise<KnowledgeBase> {
	const { readKnowledge } = await import("./knowledge-base.ts");
	return readKnowledge(dir, options);
}

/** Opens a search engine elsewhere by a connection, whether or not it stands in its folder already. */
export async function openConnection(
	service: NamedService,
	environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<KnowledgeBase> {
	const { openService } = await import("./service/open-service.ts");
	return openService(service, environment);
}
