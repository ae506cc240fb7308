import { most, type TranscriptDocument } from "../transcript.ts";
import { fieldOf, firstField, isFields, numberIn, opened, textIn, wordIn } from "./values.ts";

const lists = [
	"documents",
	"results",
	"hits",
	"matches",
	"passages",
	"chunks",
	"source_documents",
	"source_nodes",
].concat(["nodes", "sources", "organic", "items", "data", "output", "result", "content", "structuredContent", "value"]);
const texts = [
	"content",
	"text",
	"page_content",
	"pageContent",
	"snippet",
	"passage",
	"contents",
	"body",
	"raw_content",
].concat(["chunk", "excerpt", "chunk_text"]);
const ids = ["id", "_id", "doc_id", "docid", "document_id", "documentId", "chunk_id", "passage_id", "id_", "node_id"];
const titles = ["title", "name", "document_title", "heading"];
const addresses = ["url", "link", "href", "uri"];
const files = ["source", "file_name", "filename", "file", "file_path", "path", "document_name"];
const pages = ["page", "page_label", "page_number", "pageNumber"];
const scores = ["score", "relevance_score", "similarity", "relevance", "rerank_score"];
/** Where a document stands within what wraps it. */
const wraps = ["document", "node", "payload", "kwargs", "entity", "_source"];
const longestText = 1_000_000;

/**
 * The documents of a value where it has the shape of a list of them: objects with a text and an id, title, score or
 * metadata, or an object that holds such a list. `loose`, of what is known to be a search's: with a text alone, too, or
 * texts. Undefined where it has no such shape; an empty list is one.
 */
export function documentsIn(value: unknown, { loose = false, levels = 4 } = {}): TranscriptDocument[] | undefined {
	const json = opened(value);
	if (Array.isArray(json)) {
		const [only] = json;
		// parts of a message, of which one is the list as a text
		if (json.length === 1 && fieldOf(only, "type") === "text" && levels > 0) {
			const inside = documentsIn(fieldOf(only, "text"), { loose, levels: levels - 1 });
			if (inside) return inside;
		}
		const read = json.slice(0, most.documents).map((one) => documentIn(one, loose));
		return read.every((one) => one !== undefined) ? read : undefined;
	}
	if (!isFields(json) || levels === 0) return undefined;
	for (const name of lists) {
		const inside = opened(fieldOf(json, name));
		if (!Array.isArray(inside) && !isFields(inside)) continue;
		const found = documentsIn(inside, { loose, levels: levels - 1 });
		if (found) return found;
	}
	return undefined;
}

function documentIn(value: unknown, loose: boolean): TranscriptDocument | undefined {
	if (typeof value === "string") return loose ? { title: "", text: value.slice(0, longestText) } : undefined;
	if (!isFields(value)) return undefined;
	// messages, and parts of them, are no documents
	if ("role" in value || "tool_calls" in value || typeof value.function === "object") return undefined;
	const wrapped = firstField(value, wraps);
	const inner = isFields(wrapped) ? wrapped : value;
	const metadata = opened(firstField(inner, ["metadata", "meta", "extra_info"]) ?? firstField(value, ["metadata"]));
	const said = firstField(inner, texts);
	const text = typeof said === "string" ? said : (textIn(fieldOf(said, "text")) ?? textIn(wrapped));
	const look = (names: readonly string[]) =>
		firstField(inner, names) ?? firstField(value, names) ?? firstField(metadata, names);
	const id = wordIn(look(ids));
	const title = textIn(look(titles));
	const source = textIn(look(files));
	const address = textIn(look(addresses)) ?? (source && isAddress(source) ? source : undefined);
	const score = numberIn(look(scores));
	const page = wordIn(look(pages));
	const isTold = [id, title, address, score].some((one) => one !== undefined) || isFields(metadata);
	if (text === undefined && (title === undefined || address === undefined) && !(loose && id !== undefined))
		return undefined;
	if (!isTold && !loose) return undefined;
	return {
		...{ title: (title ?? "").slice(0, 2000), text: (text ?? "").slice(0, longestText) },
		...(id === undefined ? {} : { id: id.trim() }),
		...(address !== undefined && isAddress(address) ? { address } : {}),
		...(source === undefined ? {} : { source: source.slice(0, 500) }),
		...(page === undefined ? {} : { page: page.slice(0, 100) }),
		...(score === undefined ? {} : { score }),
	};
}

const isAddress = (text: string) => /^https?:\/\//i.test(text);
