import { remembering } from "#domain";
import { inWords } from "../captions.ts";
import { type Draft, pageMaker } from "../draft-page.ts";
import {
	at,
	attribute,
	child,
	childrenOf,
	countCharacters,
	descendants,
	type Element,
	find,
	prefixed,
} from "../html/markup.ts";
import type { SourceReader } from "../reader.ts";
import { type OfficePackage, openPackage, type Relation, titleOf } from "./package.ts";
import { slideBlocks, textOfShape } from "./slide.ts";

const tool = "pptx-1";
const extension = ".pptx";
const unitsInPoint = 12_700;
/** Slides that are read at one go. */
const partSlides = 200;

/** Slides (PresentationML): a slide is a page, shapes are blocks where they stand; speaker notes come last. */
export const pptx: SourceReader = {
	tool,
	mostBytes: 2048 * 1024 * 1024,
	isolated: true,
	kept: true,
	async plan(file) {
		const office = await openPackage(file.path, extension);
		try {
			const { slides } = await presentationOf(office);
			const parts = Array.from({ length: Math.ceil(slides.length / partSlides) }, (_, index) => ({
				from: index * partSlides,
				to: Math.min((index + 1) * partSlides, slides.length),
			}));
			return { parts, pages: slides.length };
		} finally {
			office.close();
		}
	},
	async read(file, context, part) {
		const office = await openPackage(file.path, extension);
		try {
			const { slides, size } = await presentationOf(office);
			if (slides.length === 0) throw new Error("holds no slides");
			const title = titleOf(office) ?? (await firstTitle(office, slides)) ?? inWords(file.label);
			const maker = pageMaker({ file, title, tool }, context);
			const layouts = layoutCache(office);
			let source = 0;
			for (let page = part?.from ?? 0; page < Math.min(part?.to ?? slides.length, slides.length); page += 1) {
				context.signal?.throwIfAborted();
				const common = { page, label: `${page + 1}`, size, section: "" };
				try {
					const slide = await readSlide(office, slides[page], layouts);
					source += slide.characters;
					await maker.add({ ...common, drafts: slide.drafts, name: slide.title ?? title });
				} catch (error) {
					context.signal?.throwIfAborted();
					const reason = error instanceof Error ? error.message : String(error);
					context.problem(reason, ` slide ${page + 1}`);
					await maker.add({ ...common, drafts: [], status: { is: "failed", reason } });
				}
			}
			maker.finish();
			return { characters: { source, read: maker.characters() } };
		} finally {
			office.close();
		}
	},
};

interface Presentation {
	/** Parts of the slides in order; undefined where one is missing. */
	slides: (string | undefined)[];
	/** Points. */
	size: [number, number];
}

async function presentationOf(office: OfficePackage): Promise<Presentation> {
	const presentation = child(await office.xml(office.main), "presentation");
	if (!presentation) throw new Error(`is not a ${extension} file (it holds no presentation)`);
	const relations = await office.relations(office.main);
	const extent = child(presentation, "sldSz");
	const points = (name: string, usual: number) => (Number(attribute(extent, name)) || usual) / unitsInPoint;
	return {
		slides: childrenOf(child(presentation, "sldIdLst"), "sldId").map(
			(slide) => relations.get(prefixed(slide, "id") ?? "")?.target,
		),
		size: [points("cx", 9_144_000), points("cy", 6_858_000)],
	};
}

async function firstTitle(office: OfficePackage, slides: (string | undefined)[]): Promise<string | undefined> {
	const [first] = slides;
	const slide = first === undefined ? undefined : await office.xml(first);
	for (const shape of slide ? descendants(slide) : []) {
		const type = shape.name === "sp" ? (attribute(find(child(shape, "nvSpPr"), "ph"), "type") ?? "") : "";
		if (type === "title" || type === "ctrTitle") return textOfShape(child(shape, "txBody"), type)[0]?.text;
	}
	return undefined;
}

async function readSlide(office: OfficePackage, name: string | undefined, layouts: LayoutCache) {
	const slide = name === undefined ? undefined : await office.xml(name);
	if (name === undefined || !at(slide, "sld")) throw new Error("the slide is missing in the file");
	const relations = await office.relations(name);
	const targetOf = (wanted: string) => [...relations.values()].find(({ type }) => type === wanted)?.target;
	const parts = await drawnParts(office, relations);
	const part = { office, relations, parts, placed: await layouts(targetOf("slideLayout")), extra: { characters: 0 } };
	const drafts = slideBlocks(slide as Element, part).flat();
	const title = drafts.find(({ kind }) => kind === "heading")?.text;
	const notes = notesIn(await partAt(office, targetOf("notesSlide")));
	const text = `Speaker notes: ${notes}`;
	const spoken: Draft[] = notes === "" ? [] : [{ kind: "text", text }];
	const characters = writtenIn(slide as Element) + part.extra.characters + (notes === "" ? 0 : countCharacters(text));
	const isFooter = ({ kind }: Draft) => kind === "footer";
	const ordered = [...drafts.filter((draft) => !isFooter(draft)), ...spoken, ...drafts.filter(isFooter)];
	return { drafts: ordered, title, characters };
}

const partAt = async (office: OfficePackage, name: string | undefined) =>
	name === undefined ? undefined : office.xml(name);

async function drawnParts(office: OfficePackage, relations: Map<string, Relation>): Promise<Map<string, Element>> {
	const parts = new Map<string, Element>();
	for (const { type, target } of relations.values()) {
		if (target === undefined || (type !== "chart" && type !== "diagramData")) continue;
		const markup = await office.xml(target);
		if (markup) parts.set(target, markup);
	}
	return parts;
}

/** What is written into the notes, without the slide's own picture, number and date on the notes page. */
function notesIn(markup: Element | undefined): string {
	const tree = at(markup, "notes", "cSld", "spTree");
	return childrenOf(tree, "sp")
		.filter((shape) => attribute(find(child(shape, "nvSpPr"), "ph"), "type") === "body")
		.flatMap((shape) => childrenOf(child(shape, "txBody"), "p"))
		.map((paragraph) => textOfShape({ name: "txBody", attributes: {}, children: [paragraph] }, "")[0]?.text ?? "")
		.filter((line) => line !== "")
		.join("\n");
}

type Placed = (type: string, index: string | undefined) => Element | undefined;
type LayoutCache = (name: string | undefined) => Promise<Placed>;

/** Where layouts and their masters put placeholders: those of the slide's index first, then those of its type. */
function layoutCache(office: OfficePackage): LayoutCache {
	return remembering(async (name): Promise<Placed> => {
		if (name === undefined) return () => undefined;
		const layout = placeholders(await office.xml(name));
		const masterName = [...(await office.relations(name)).values()].find(({ type }) => type === "slideMaster")?.target;
		const master = placeholders(await partAt(office, masterName));
		return (type, index) => {
			const own =
				layout.find((shape) => index !== undefined && shape.index === index) ??
				layout.find((shape) => shape.type === type);
			const general = type === "ctrTitle" ? "title" : type === "obj" || type === "subTitle" ? "body" : type;
			return own?.transform ?? master.find((shape) => shape.type === general)?.transform;
		};
	});
}

function placeholders(markup: Element | undefined) {
	return (markup ? [...descendants(markup)] : [])
		.filter(({ name }) => name === "sp")
		.flatMap((shape) => {
			const mark = find(child(shape, "nvSpPr"), "ph");
			const transform = at(shape, "spPr", "xfrm");
			return mark ? [{ type: attribute(mark, "type") ?? "obj", index: attribute(mark, "idx"), transform }] : [];
		});
}

/** Characters of all text on a slide, counted by themselves. */
function writtenIn(markup: Element): number {
	let characters = 0;
	for (const element of descendants(markup, ({ name }) => name !== "Fallback"))
		if (element.name === "t") characters += countCharacters(element.children.join(""));
	return characters;
}
