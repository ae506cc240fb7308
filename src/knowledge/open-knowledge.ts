import { existsSync } from "node:fs";
import { join } from "node:path";
import { trackWork } from "#domain";
import { isService } from "#store";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { OpenOptions } from "./query-encoders.ts";
import { connectionName } from "./service/connection.ts";
import type { NamedService } from "./service/open-service.ts";

/**
 * Opens the knowledge base in `dir`, or the search engine that `dir` connects to or that is at that address; a missing, unfinished or damaged one is an error (exit 2). Encoders are opened by
 * the names in the manifest when a query first needs them, or given here: one that the index was not made with is an
 * error of code `other-encoder`. What reads it is loaded now, since many who could open one never do.
 */
export async function openKnowledge(dir: string, options: OpenOptions = {}): Promise<KnowledgeBase> {
	if (isService(dir) || existsSync(join(dir, connectionName))) {
		const { openNamed } = await import("./service/named-service.ts");
		return closeAfterWork(await openNamed(dir, options.environment ?? process.env));
	}
	const { readKnowledge } = await import("./knowledge-base.ts");
	const work = trackWork(dir);
	return closeAfterWork(await readKnowledge(dir, options, work.signal), work);
}

/** Opens a search engine elsewhere by a connection, whether or not it stands in its folder already. */
export async function openConnection(
	service: NamedService,
	environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<KnowledgeBase> {
	const { openService } = await import("./service/open-service.ts");
	return closeAfterWork(await openService(service, environment));
}

/** The same knowledge base, which is closed once its calls in progress have ended and begins no other. */
function closeAfterWork(knowledge: KnowledgeBase, work = trackWork(knowledge.dir)): KnowledgeBase {
	const tracked =
		<Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
		(...given: Given) =>
			work.run(() => call(...given));
	return {
		...knowledge,
		search: tracked(knowledge.search),
		evidence: tracked(knowledge.evidence),
		document: tracked(knowledge.document),
		missing: tracked(knowledge.missing),
		file: tracked(knowledge.file),
		close: () => work.close(knowledge.close),
	};
}
