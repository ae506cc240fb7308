import type { BoxConvention, EvidenceKind } from "#domain";
import type { JsonSchema, ToolDeclaration } from "#models";
import type { Session } from "../driver/session.ts";
import type { Intention } from "../driver/speech.ts";
import { conventions } from "../tools/boxes.ts";
import { type Call, checkedCall, invalidCall } from "../tools/tool-call.ts";
import type { ToolName } from "../tools/tools.ts";
import type { Gallery } from "./gallery.ts";

/** The kind of evidence that a tool finds; none where it searches no knowledge base. */
const finds: Record<ToolName, EvidenceKind | undefined> = {
	text_search: "passage",
	page_search: "page",
	image_search_by_text: "image",
	image_search_by_image: "image",
	image_crop: undefined,
	web_search: undefined,
	web_read: undefined,
	web_image_search: undefined,
};

/**
 * The tools of a setting that the run has and that can find anything. They are the same for every task of a run, with
 * images or without, so that all its requests begin alike.
 */
export function offeredTools(session: Session, standard: ToolName[]): ToolName[] {
	const { setting, tools, knowledge } = session.context;
	const wanted = setting.tools ? setting.tools.filter(isTool) : standard;
	const counts: Partial<Record<EvidenceKind, number>> = knowledge.manifest.counts;
	return [...new Set(wanted)].filter((name) => {
		const evidence = finds[name];
		if (tools[name] === undefined) return false;
		if (name === "image_crop" && setting.images === "captions") return false;
		return evidence === undefined || counts[evidence] !== 0;
	});
}

const isTool = (name: string): name is ToolName => Object.hasOwn(finds, name);

type Arguments = Record<string, unknown>;
interface Origin {
	/** The end of what the model wrote. */
	written: string;
	/** Of a call in the provider's form. */
	id?: string;
}

/** A tool under the name and with the arguments of one wire form, and how a call of it is read. */
export interface OfferedTool {
	tool: ToolName;
	declaration: ToolDeclaration;
	read(args: Arguments, origin: Origin): Call;
	/** The arguments of a search as a model should write them; undefined where this form cannot say it. */
	write?(search: SearchIntention): Arguments | undefined;
}

export type SearchIntention = Extract<Intention["act"], { is: "search" }>;

export interface ToolOptions {
	/** Results of a search for words, and of one by an image. */
	k: { text: number; image: number };
	/** Whether the model may ask for another number of results. */
	chooses: boolean;
	boxes: BoxConvention;
	gallery: Gallery;
}

const text = (description: string): JsonSchema => ({ type: "string", description });
const query = text("What to look for, in your own words; one fact at a time.");
const imageNumber: JsonSchema = { type: "integer", minimum: 1, description: "Number of the image, from 1." };
/** Results that a model may ask for. */
const mostResults = 20;
const count: JsonSchema = {
	type: "integer",
	minimum: 1,
	maximum: mostResults,
	description: "How many results to bring back.",
};

const descriptions: Record<ToolName, string> = {
	text_search: "Searches the passages of the knowledge base and brings back the best.",
	page_search: "Searches the pages of documents and brings back the best, with their pictures.",
	image_search_by_text: "Searches stored images by words and brings back the best with their captions.",
	image_search_by_image:
		"Looks for the stored images most like an image of the question or a part cut out of one, and brings back what they show.",
	image_crop: "Cuts a part out of an image and shows it enlarged, as a new image with the next number.",
	web_search: "Searches the web and brings back addresses with excerpts.",
	web_read: "Reads a page of the web and brings back what in it bears on a question.",
	web_image_search: "Looks on the web for images like an image of the question and brings back where they stand.",
};

/** Tools under their canonical names; images are numbered from 1. */
export function canonicalTools(names: ToolName[], options: ToolOptions): OfferedTool[] {
	return names.map((tool) => ({
		tool,
		declaration: { name: tool, description: descriptions[tool], parameters: parametersOf(tool, options) },
		read: (args, origin) => readCanonical(tool, args, { ...origin, ...options }),
		write: ({ query, image = 0 }) => (tool === "image_search_by_image" ? { image: image + 1 } : { query }),
	}));
}

function parametersOf(tool: ToolName, { chooses, boxes }: ToolOptions): JsonSchema {
	const k = chooses ? { k: count } : {};
	switch (tool) {
		case "image_crop":
			return objectOf({ image: imageNumber, box: boxParameter(boxes) });
		case "web_read":
			return objectOf({ address: text("Address of the page."), question: text("What you want to know from it.") });
		case "image_search_by_image":
		case "web_image_search":
			return objectOf({ image: imageNumber, ...k }, ["image"]);
		default:
			return objectOf({ query, ...k }, ["query"]);
	}
}

/** JSON Schema of an object; all properties are required unless it is said which. */
export function objectOf(properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema {
	return { type: "object", properties, required };
}

export const boxParameter = (boxes: BoxConvention): JsonSchema => ({
	type: "array",
	items: { type: "number" },
	minItems: 4,
	maxItems: 4,
	description: `The part to cut out: ${conventions[boxes].form}.`,
});

function readCanonical(tool: ToolName, args: Arguments, options: ToolOptions & Origin): Call {
	const { k, chooses, boxes } = options;
	const wanted = chooses ? countOf(args.k) : undefined;
	if (typeof wanted === "number" && wanted > mostResults)
		return invalidCall("bad-arguments", `k: at most ${mostResults} results`, { tool, ...options });
	const results = (standard: number) => wanted ?? standard;
	switch (tool) {
		case "image_crop":
			return cropCall(args.box, { ...options, image: numbered(args.image), boxes });
		case "web_read":
			return checkedCall(tool, { address: args.address, question: args.question ?? "" }, options);
		case "image_search_by_image":
		case "web_image_search":
			return imageCall(tool, { ...options, image: numbered(args.image), k: results(k.image) });
		default:
			return checkedCall(tool, { query: args.query, k: results(k.text) }, options);
	}
}

/** A number of results, also where it was written as text; what is none is left for the check of the call. */
function countOf(value: unknown): unknown {
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	return typeof number === "number" && Number.isFinite(number) ? number : value;
}

/** A number that a model counts from 1, also where it wrote it as text, as an index from 0; NaN when it is none. */
function numbered(value: unknown): number {
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	return typeof number === "number" && Number.isInteger(number) ? number - 1 : Number.NaN;
}

/** A search by the image with this index. */
export function imageCall(
	tool: ToolName,
	{ image, k, gallery, ...origin }: Origin & { image: number; k: unknown; gallery: Gallery },
): Call {
	return badIndex(tool, { image, gallery, ...origin }) ?? checkedCall(tool, { image, k }, origin);
}

/** A crop of the image with this index, by the box as the model wrote it. */
export function cropCall(
	raw: unknown,
	{ image, boxes, gallery, ...origin }: Origin & { image: number; boxes: BoxConvention; gallery: Gallery },
): Call {
	const wrong = badIndex("image_crop", { image, gallery, ...origin });
	if (wrong) return wrong;
	const read = gallery.box(raw, { image, convention: boxes });
	if (read.is === "bad-box") return invalidCall("bad-box", read.problem, { tool: "image_crop", ...origin });
	const call = checkedCall("image_crop", { image, box: read.box }, origin);
	return call.is === "call" && read.suspect !== undefined ? { ...call, suspect: read.suspect } : call;
}

function badIndex(tool: ToolName, { image, gallery, written, id }: Origin & { image: number; gallery: Gallery }) {
	if (image >= 0 && image < gallery.count) return undefined;
	const there = gallery.count === 1 ? "there is one image" : `there are ${gallery.count} images`;
	return invalidCall("bad-index", there, { tool, written, ...(id === undefined ? {} : { id }) });
}
