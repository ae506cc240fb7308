import type { Evidence, Passage } from "#domain";
import type { KnowledgeBase } from "#knowledge";

/** Candidates among which a passage of the same text is looked for. */
const candidates = 10;

/** What is looked for by what it says. */
type Sought = Pick<Passage, "kind" | "id" | "title" | "text"> | Exclude<Evidence, Passage>;

/** The id of what says the same: under its own id, else a passage of the same title and text, or of that title around the text. */
export async function sameIn(knowledge: KnowledgeBase, evidence: Sought): Promise<string | undefined> {
	const named = await knowledge.evidence(evidence.id);
	if (evidence.kind === "image") return named?.kind === "image" ? evidence.id : undefined;
	const [title, text] = [folded(evidence.title), folded(evidence.text)];
	// a set may number its documents: the same number here is the same document only where it says the same
	if (named && named.kind !== "image" && (text === "" || folded(named.text) === text)) return evidence.id;
	if (text === "") return undefined;
	const query = `${evidence.title} ${evidence.text.slice(0, 300)}`;
	const found = await knowledge.search({ text: query, target: evidence.kind, mode: "lexical", k: candidates });
	const held = (await Promise.all(found.map(({ id }) => knowledge.evidence(id)))).flatMap((one) =>
		one === undefined || one.kind === "image" ? [] : [{ id: one.id, title: folded(one.title), text: folded(one.text) }],
	);
	const same =
		held.find((one) => one.text === text) ?? held.find((one) => one.title === title && one.text.includes(text));
	return same?.id;
}

const folded = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
