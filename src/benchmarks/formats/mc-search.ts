/**
 * MC-Search (Ning et al. 2026): questions with their sub-questions in order. The order is all that is said of what needs
 * what: edges are read off the words and marked as inferred. Texts are named as in WebQA (`<Guid>_<n>`), images by
 * WebQA's image id.
 */

import { z } from "zod";
import { type Answer, freeObject, type Hop, inDependencyOrder, type Task, type Topology, topologyOf } from "#domain";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import type { ReadOptions, Written } from "./format.ts";
import { writtenAnswer } from "./given-answer.ts";
import { ends, mentionedNeeds } from "./mention-needs.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { imageEvidence, RowPicture } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";

const Id = z.union([z.string().min(1).max(400), z.number()]);
const Row = freeObject({
	index: z.union([z.number(), z.string().min(1).max(150)]),
	question: z.string().min(1),
	answer: z.string().min(1),
	graph_type: z.string(),
	image_titles: z.array(z.string()).nullish(),
	image_ids: z.array(Id).nullish(),
	image: z.array(RowPicture).nullish(),
	subqa_chain: z
		.array(
			z.strictObject({
				subquestion: z.string().min(1),
				answer: z.string().min(1),
				modality: z.enum(["text", "image"]),
				supporting_fact_id: Id,
			}),
		)
		.min(1)
		.max(50),
});
type Row = z.infer<typeof Row>;

const name = "mc-search";
/** Joins what no sub-question joins; a row has no such step. */
const joint = "joint";

/** The five shapes as the released rows call them, and the names that the paper gives some of them. */
const shapes: Record<string, Topology> = {
	"image-initiated chain": "image-initiated-chain",
	"text-initiated chain": "text-initiated-chain",
	"text chain": "text-only-chain",
	"text-only chain": "text-only-chain",
	"parallel visual-textual fork": "image-text-fork",
	"parallel image-text fork": "image-text-fork",
	"parallel multi-images fork": "multi-image-fork",
	"parallel multi-image fork": "multi-image-fork",
	"multi-images fork": "multi-image-fork",
};
const shapeNames: Partial<Record<Topology, string>> = {
	"image-initiated-chain": "Image-Initiated Chain",
	"text-initiated-chain": "Text-Initiated Chain",
	"text-only-chain": "Text Chain",
	"text-fork": "Text Chain",
	"image-text-fork": "Parallel Visual-Textual Fork",
	"multi-image-fork": "Parallel Multi-Images Fork",
};

export const mcSearch = defineFormat({
	name,
	title: "MC-Search",
	files: "the Parquet file as released, or the same rows as JSON; the texts are read into a knowledge base first",
	licence: "MIT",
	attribution:
		"MC-Search: Evaluating and Enhancing Multimodal Agentic Search with Structured Long Reasoning Chains; texts and images of WebQA",
	url: "https://huggingface.co/datasets/YennNing/MC-Search",
	losses: [{ field: "image", why: "written as names of the knowledge base's image files, without their bytes" }],
	rights: "MIT, MC-Search; texts and images of WebQA under their own terms",
	schema: Row,
	task: taskOf,
	write: writeRows(`${name}.jsonl`, { row: rowOf }),
});

/** The corpus names records `FILE#id`. */
const prefixOf = ({ documents }: ReadOptions) => (documents ? `${documents.replace(/[/#]+$/, "")}#` : "");

async function taskOf(row: Row, context: RowContext): Promise<RowTask> {
	const { index, question, answer: said, subqa_chain, graph_type, image, image_ids, image_titles, ...rest } = row;
	const documents = prefixOf(context.options);
	for (const [place, picture] of (image ?? []).entries()) {
		const id = image_ids?.[place];
		if (id === undefined) refuse(`image ${place + 1} has no id in image_ids`);
		const title = image_titles?.[place] ?? `${id}`;
		const about = {
			...{ id: `${documents}${id}`, document: `${documents}${id}`, title, language: "en", caption: title },
			provenance: { source: "MC-Search", record: context.at.row },
		};
		await imageEvidence(picture, about, context);
	}
	const needs = mentionedNeeds(subqa_chain.map((step) => ({ question: step.subquestion, answer: step.answer })));
	const answer: Answer = { type: "text", value: said, accepted: [said] };
	const hops: Hop[] = subqa_chain.map((step, place) => ({
		id: `h${place + 1}`,
		question: step.subquestion,
		modality: step.modality,
		needs: (needs[place] ?? []).map((earlier) => ({ hop: `h${earlier + 1}`, role: "bridge" as const })),
		evidence: [`${documents}${step.supporting_fact_id}`],
		answer: { type: "text", value: step.answer, accepted: [step.answer] },
	}));
	const open = ends(hops);
	const [only] = open;
	const last = hops.at(-1);
	if (last && open.length === 1 && only === last.id && subqa_chain.at(-1)?.answer === said) last.answer = answer;
	else
		hops.push({
			...{ id: joint, question, modality: "compute", answer, evidence: [] },
			needs: open.map((hop) => ({ hop, role: "operand" as const })),
		});
	const chain = { hops, sink: hops.at(-1)?.id ?? joint };
	const called = graph_type.trim().toLowerCase();
	const shape = Object.hasOwn(shapes, called) ? shapes[called] : undefined;
	const drawn = topologyOf(chain);
	if (shape === undefined) context.warn(`graph type "${graph_type}" is not known`);
	else if (shape !== drawn) context.warn(`called "${graph_type}", but its words make it ${drawn}`);
	const numeric = subqa_chain.map((step) => typeof step.supporting_fact_id === "number");
	return {
		id: `mc-${index}`,
		question,
		answer,
		chain,
		tags: { needs: "inferred", ...(shape === undefined ? {} : { graphType: shape }) },
		...nativeFields(name, {
			...rest,
			index,
			graph_type,
			image_ids,
			image_titles,
			...(numeric.some(Boolean) ? { numeric } : {}),
			...(documents === "" ? {} : { documents }),
		}),
	};
}

async function rowOf(
	task: Task,
	content: Written,
	warn: (what: string) => void,
): Promise<Record<string, unknown> | undefined> {
	const { documents, numeric, ...native } = nativeOf(task, name) ?? {};
	const own = Object.keys(native).length > 0;
	const hops = task.chain ? inDependencyOrder(task.chain).filter((hop) => hop.evidence.length > 0) : [];
	const graphType = own ? native.graph_type : task.chain && shapeNames[topologyOf(task.chain)];
	if (hops.length === 0 || graphType === undefined) {
		warn("a chain of this shape has no name in this form: not written");
		return undefined;
	}
	const computed = (task.chain?.hops.length ?? 0) - hops.length;
	if (!own) {
		if (computed > 0) warn(`${computed} computing hops are left out`);
		if (task.images.length > 0) warn("the question's own images are left out");
		warn("only the order of its hops is written, not what needs what");
	}
	const prefix = typeof documents === "string" ? documents : "";
	const plain = (id: string, place: number) => {
		const short = id.startsWith(prefix) ? id.slice(prefix.length) : id;
		return Array.isArray(numeric) && numeric[place] === true ? Number(short) : short;
	};
	const subqa_chain = hops.map((hop, place) => {
		const [first = "", ...others] = hop.evidence;
		if (others.length > 0) warn(`${others.length} other evidence of hop ${hop.id} is left out`);
		if (hop.modality !== "text" && hop.modality !== "image")
			warn(`hop ${hop.id} over a ${hop.modality} is called text`);
		return {
			subquestion: hop.question,
			answer: writtenAnswer(hop.answer),
			modality: hop.modality === "image" ? "image" : "text",
			supporting_fact_id: plain(first, place),
		};
	});
	const pictures = own
		? []
		: await picturesOf(
				hops.flatMap((hop) => hop.evidence),
				content,
			);
	return {
		index: task.id,
		question: task.question,
		answer: writtenAnswer(task.answer),
		graph_type: graphType,
		...(own ? {} : { image_ids: pictures.map(({ id }) => id), image_titles: pictures.map(({ title }) => title) }),
		...native,
		subqa_chain,
	};
}

async function picturesOf(ids: readonly string[], { evidence }: Written): Promise<{ id: string; title: string }[]> {
	const found = await Promise.all([...new Set(ids)].map((id) => evidence(id)));
	return found.flatMap((one) => (one?.kind === "image" ? [{ id: one.id, title: one.title }] : []));
}
