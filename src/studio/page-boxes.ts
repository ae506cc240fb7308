/** Where gold evidence stands on pictures of pages: regions of passages, and blocks that state what a hop asks for. */
import { clip, type Evidence, type Page, type Passage } from "#domain";
import type { EvidenceCard } from "./evidence-card.ts";

type Boxes = NonNullable<EvidenceCard["boxes"]>;
type Corners = Boxes[number]["corners"];

/** A gold hop as far as its evidence goes. */
export interface HopAsking {
	/** From 1. */
	place: number;
	evidence: readonly string[];
	accepted: readonly string[];
}

/** More would hide the page. */
const mostBoxes = 40;

/** Points on a page as shares of it. */
export const sharesOf = (
	[left, top, right, bottom]: readonly [number, number, number, number],
	[width, height]: readonly [number, number],
): Corners => [left / width, top / height, right / width, bottom / height];

/** What of a page is gold: the passages that stand on it, and where it is gold itself, the blocks that state an answer. */
export function goldBoxes(
	page: Page,
	{ hops, evidence }: { hops: readonly HopAsking[]; evidence: readonly (Evidence | undefined)[] },
): Boxes {
	const passages = evidence.flatMap((one) =>
		one?.kind === "passage" && one.document === page.document && one.id !== page.id ? [one] : [],
	);
	return [...passages.flatMap((passage) => passageBoxes(passage, page, hops)), ...answerBoxes(page, hops)].slice(
		0,
		mostBoxes,
	);
}

function passageBoxes({ id, regions = [] }: Passage, { page }: Page, hops: readonly HopAsking[]): Boxes {
	const says = `gold of ${hopsSaid(hops.filter(({ evidence }) => evidence.includes(id)))}`;
	return regions.flatMap((region) =>
		region.page === page ? [{ corners: sharesOf(region.box, region.size), says }] : [],
	);
}

function answerBoxes({ id, blocks = [], size }: Page, hops: readonly HopAsking[]): Boxes {
	const wanting = hops.filter(({ evidence }) => evidence.includes(id));
	if (!size || wanting.length === 0) return [];
	return blocks.flatMap(({ box, text }) => {
		const stated = wanting.filter(({ accepted }) => accepted.some((answer) => states(text, answer)));
		if (!box || stated.length === 0) return [];
		return [{ corners: sharesOf(box, size), says: `states the answer of ${hopsSaid(stated)}` }];
	});
}

const hopsSaid = (hops: readonly HopAsking[]): string =>
	clip(`hop ${hops.map(({ place }) => place).join(" and ")}`, 60);

/** Whether an answer stands in a text as whole words, capitals or not. */
function states(text: string, answer: string): boolean {
	const [whole, part] = [text.toLowerCase(), answer.trim().toLowerCase()];
	if (part === "") return false;
	for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1))
		if (!isWord(whole[at - 1]) && !isWord(whole[at + part.length])) return true;
	return false;
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
