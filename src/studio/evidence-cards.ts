/** Evidence as cards: gold on the picture of its page, other texts around what was wanted of them. */
import { clip, type Evidence, excerpt, type Passage, pageIdsOf, type Task } from "#domain";
import type { EvidenceCard } from "./evidence-card.ts";
import { evidenceMedia } from "./media-names.ts";
import { goldBoxes, type HopAsking } from "./page-boxes.ts";
import type { TaskHop, TaskPage } from "./pages.ts";
import { textOf } from "./recorded-words.ts";

type FindEvidence = (id: string) => Promise<Evidence | undefined>;

const mostText = 1600;

export async function cardsOf(
	texts: ReadonlyMap<string, Evidence | undefined>,
	hops: readonly TaskHop[],
	{ task, evidence }: { task: Task; evidence: FindEvidence },
): Promise<TaskPage["evidence"]> {
	const asking = hops.map(({ id, place }): HopAsking => {
		const hop = task.chain?.hops.find((one) => one.id === id);
		return { place, evidence: hop?.evidence ?? [], accepted: hop?.answer.accepted ?? [] };
	});
	const isGold = (id: string) => asking.some((hop) => hop.evidence.includes(id));
	const gold = [...texts].flatMap(([id, one]) => (one && isGold(id) ? [one] : []));
	const cards = [...texts].map(async ([id, one]) => {
		const accepted = asking.flatMap((hop) => (hop.evidence.includes(id) ? hop.accepted : []));
		const card = cardOf(id, one, accepted);
		// a passage has no picture of its own; a gold one is shown on its page
		const page = one?.kind === "passage" && isGold(id) ? await pageOf(one, evidence) : one;
		if (page?.kind !== "page") return [id, card] as const;
		const picture = evidenceMedia(page);
		const boxes = picture ? goldBoxes(page, { hops: asking, evidence: one === page ? gold : [one] }) : [];
		return [id, { ...card, picture, ...(boxes.length > 0 ? { boxes } : {}) }] as const;
	});
	return Object.fromEntries(await Promise.all(cards));
}

/** The page on which a passage stands, where the knowledge base holds it and says where it stands there. */
async function pageOf(passage: Passage, evidence: FindEvidence): Promise<Evidence | undefined> {
	if (passage.regions === undefined) return undefined;
	for (const id of pageIdsOf(passage)) {
		const page = await foundIn(evidence, id);
		if (page?.kind === "page") return page;
	}
	return undefined;
}

function cardOf(id: string, evidence: Evidence | undefined, accepted: string[]): EvidenceCard {
	if (!evidence) return { id, kind: "unknown", title: "", text: "", length: 0, document: "", picture: null };
	const text = textOf(evidence);
	return {
		id,
		kind: evidence.kind,
		title: clip(evidence.title, 200),
		text: accepted.length > 0 ? excerpt(text, accepted, mostText) : clip(text, mostText / 2),
		length: text.length,
		document: clip(evidence.document, 200),
		picture: evidenceMedia(evidence),
	};
}

/** A knowledge base that cannot be read costs the texts, not the page. */
export async function foundIn(evidence: FindEvidence, id: string): Promise<Evidence | undefined> {
	try {
		return await evidence(id);
	} catch {
		return undefined;
	}
}
