/** A knowledge base as its pages show it: what it was made of, what its indexes bring, a document with its pages. */
import { clip, counted, cut, type Evidence, type KnowledgeManifest, type Region } from "#domain";
import { evidenceMedia } from "./media-names.ts";
import { sharesOf } from "./page-boxes.ts";
import type { EvidenceCard } from "./pages.ts";
import type {
	DocumentPage,
	FoundBy,
	IndexLine,
	KnowledgeFound,
	KnowledgePage,
	KnowledgeTarget,
} from "./sources-pages.ts";

const targets: Record<KnowledgeTarget, "passage" | "page" | "image"> = {
	text: "passage",
	page: "page",
	image: "image",
};

/** What each way of searching goes by. */
const modeWords: Record<string, string> = {
	lexical: "the words of the query (BM25)",
	dense: "one vector for each text, by the text encoder",
	joint: "one vector for each picture, in a space of texts and pictures",
	late: "many vectors for each page picture, compared with every word (MaxSim)",
	graph: "neighbours of what the query names",
	hybrid: "all of them that there are, by reciprocal rank fusion",
	image: "the look of the picture",
	passages: "pages by the best of their passages",
	both: "text and picture together, by reciprocal rank fusion",
};

export const modeSays = (mode: string): string => modeWords[mode] ?? mode;

const fused = ["lexical", "dense", "joint", "late"];

/** The modes that a text can be searched by, in the order in which they are told. */
export function modesOf({ indexes }: KnowledgeManifest, target: KnowledgeTarget): string[] {
	const own = [...fused, "graph"].filter((name) =>
		indexes.some((index) => index.name === name && index.over.includes(targets[target])),
	);
	const several = own.filter((name) => fused.includes(name)).length > 1;
	return several ? [...own, "hybrid"] : own;
}

export const usualMode = ({ modes }: KnowledgeManifest, target: KnowledgeTarget): string =>
	modes?.[targets[target]] ?? "lexical";

export function knowledgePage(manifest: KnowledgeManifest, { benchmarks }: { benchmarks: string[] }): KnowledgePage {
	const { name, counts, corpus, pagePictures, hash, indexes } = manifest;
	return {
		name,
		counts,
		benchmarks,
		facts: [
			{ name: "Corpus", value: clip(corpus.name, 200) },
			{ name: "Corpus hash", value: corpus.hash.slice(0, 16) },
			{ name: "Index hash", value: hash.slice(0, 16) },
			...(pagePictures === undefined
				? []
				: [{ name: "Pages kept as pictures", value: `${pagePictures} of ${counts.page}` }]),
		],
		indexes: indexes.map(indexLine),
		targets: (["text", "page", "image"] as const)
			.filter((target) => counts[targets[target]] !== 0)
			.map((target) => ({ target, modes: modesOf(manifest, target), usual: usualMode(manifest, target) })),
	};
}

function indexLine(index: KnowledgeManifest["indexes"][number]): IndexLine {
	const { name, over, encoder, dimensions, metric, exact, recall } = index;
	return {
		name,
		says: modeSays(name),
		over: over.map((kind) => `${kind}s`),
		encoder: clip(`${encoder.name}${encoder.version === encoder.name ? "" : ` (${encoder.version})`}`, 120),
		dimensions: dimensions ?? null,
		metric,
		exactness: exact
			? "exact"
			: recall
				? `approximate: ${(100 * recall.value).toFixed(1)} % of the exact ${recall.at} best`
				: "approximate",
	};
}

const mostText = 700;

/** Evidence as a card, without its whole text. */
export const foundCard = (evidence: Evidence): EvidenceCard => cardWith(evidence, (text) => clip(text, mostText));

function cardWith(evidence: Evidence, shown: (text: string) => string): EvidenceCard {
	const text = evidence.kind === "image" ? evidence.caption : evidence.text;
	return {
		id: evidence.id,
		kind: evidence.kind,
		title: clip(evidence.title, 200),
		text: shown(text),
		length: text.length,
		document: evidence.document,
		picture: evidenceMedia(evidence),
	};
}

/** What several of the lists brought that are not themselves made of others; most agreed first, then the better placed. */
export function agreedOn(lists: readonly FoundBy[]): Pick<KnowledgeFound, "agreed" | "of" | "indexes"> {
	const ids = [...new Set(lists.flatMap(({ hits }) => hits.map(({ id }) => id)))];
	const own = lists.map(({ fused }) => !fused);
	const rows = ids.map((id) => {
		const ranks = lists.map(({ hits }) => hits.find((hit) => hit.id === id)?.rank ?? null);
		const by = ranks.filter((rank, at) => rank !== null && own[at]) as number[];
		return { id, ranks, by: by.length, weight: by.reduce((sum, rank) => sum + 1 / (60 + rank), 0) };
	});
	return {
		agreed: rows
			.filter(({ by }) => by > 1)
			.sort((a, b) => b.by - a.by || b.weight - a.weight)
			.map(({ id, ranks }) => ({ id, ranks })),
		of: ids.length,
		indexes: lists.filter((list) => !list.fused && list.problem === null).length,
	};
}

const mostOfText = 6000;
const mostBlocks = 400;
const order = new Intl.Collator("en", { numeric: true });

/** A document of its evidence, which may come in any order. */
export function documentPage(
	document: string,
	evidence: readonly Evidence[],
	{ most }: { most: number },
): DocumentPage {
	const of = <Kind extends Evidence["kind"]>(kind: Kind) =>
		evidence.filter((one): one is Extract<Evidence, { kind: Kind }> => one.kind === kind);
	const sorted = [...of("passage")].sort((a, b) => order.compare(a.id, b.id));
	const pages = [...of("page")].sort((a, b) => a.page - b.page);
	const images = [...of("image")].sort((a, b) => order.compare(a.id, b.id));
	const whole = (one: Evidence) => cardWith(one, (text) => cut(text, mostOfText));
	const [first] = [...pages, ...sorted, ...images];
	return {
		document,
		title: clip(first?.title ?? document, 300),
		facts: factsOf(evidence),
		more: [sorted, pages, images].some(({ length }) => length >= most),
		passages: sorted.map((one) => ({
			card: whole(one),
			section: clip(one.section ?? "", 200),
			form: one.form,
			language: one.language,
			places: (one.regions ?? []).slice(0, 40).map(placeOf),
		})),
		pages: pages.map((page) => ({
			card: whole(page),
			page: page.page,
			label: page.label ?? String(page.page + 1),
			ratio: page.size ? page.size[0] / page.size[1] : null,
			blocks: (page.blocks ?? []).slice(0, mostBlocks).map(({ kind, text, box }) => ({
				kind,
				text: cut(text, 1000),
				box: box && page.size ? sharesOf(box, page.size) : null,
			})),
			failed: page.status?.is === "failed" ? clip(page.status.reason, 300) : "",
		})),
		images: images.map((one) => ({ card: whole(one), place: one.region ? placeOf(one.region) : null })),
	};
}

const placeOf = ({ page, box, size }: Region) => ({ page, box: sharesOf(box, size) });

function factsOf(evidence: readonly Evidence[]): DocumentPage["facts"] {
	const several = (name: string, values: (string | undefined)[]) => {
		const known = [...new Set(values.filter((value) => value !== undefined && value !== ""))];
		if (known.length === 0) return [];
		const more = known.length > 3 ? ` and ${known.length - 3} more` : "";
		return [{ name, value: clip(known.slice(0, 3).join("; "), 600) + more }];
	};
	const kinds = (["passage", "page", "image"] as const).map((kind) => ({
		kind,
		count: evidence.filter((one) => one.kind === kind).length,
	}));
	return [
		{
			name: "Holds",
			value: kinds
				.filter(({ count }) => count > 0)
				.map(({ kind, count }) => counted(count, kind))
				.join(", "),
		},
		...several(
			"Languages",
			evidence.map(({ language }) => language),
		),
		...several(
			"Source",
			evidence.map(({ provenance }) => provenance.source),
		),
		...several(
			"Licence",
			evidence.map(({ provenance }) => provenance.licence),
		),
		...several(
			"Attribution",
			evidence.map(({ provenance }) => provenance.attribution),
		),
		...several(
			"Read by",
			evidence.map((one) => (one.kind === "page" ? one.tool : undefined)),
		),
	];
}
