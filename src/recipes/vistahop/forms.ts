import type { z } from "zod";
import { withNumberKind } from "#benchmarks";
import { type Answer, type Compute, type Hop, ownField } from "#domain";
import type { Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import type { StageContext } from "../engine/stage.ts";
import { numberAnswer, stringAnswer } from "../template/answers.ts";
import { greaterOf } from "../template/quantity.ts";
import type { Valued } from "./extract-values.ts";
import { computeOf, extractors, type FusionOperation, fusedValue, fusionOperations } from "./extractors.ts";
import type { Related } from "./related-items.ts";

/** What a fused question does with its parts. */
export const fusionForms = ["arithmetic", "conditional", "temporal", "cross-anchor"] as const;
export type FusionForm = (typeof fusionForms)[number];

/** What a form makes of the parts, before it is worded. */
export interface Fused {
	form: FusionForm;
	/** For the model: what to do with the parts. */
	task: string;
	/** What leads on from each part's answer: an encyclopedia's words, shown as material. */
	leads?: readonly string[];
	/** The last hop, and those that make values of the parts' answers. */
	sink(operation: string, question: string): { hops: Hop[]; answer: Answer } | undefined;
	operations: readonly string[];
}

const prefix = (at: number) => String.fromCodePoint(97 + at);

/** The hops of all parts, under names of their own. */
export const partHops = ({ items }: Related): Hop[] =>
	items.flatMap(({ chain }, at) =>
		chain.hops.map((hop) => ({
			...hop,
			id: `${prefix(at)}-${hop.id}`,
			needs: hop.needs.map((need) => ({ ...need, hop: `${prefix(at)}-${need.hop}` })),
		})),
	);

/** The hop of a fused question's chain that answers a part's own question. */
export const partEnd = (hops: readonly Hop[], at: number): Hop | undefined =>
	hops.findLast(({ id }) => id.startsWith(`${prefix(at)}-`) && id !== `${prefix(at)}-value`);

const sinkOf = ({ items }: Related, at: number) => `${prefix(at)}-${items[at]?.chain.sink}`;

/** What the extraction of a value computes, in the words of hop graphs. */
const computes: Record<string, z.infer<typeof Compute>["op"]> = {
	character_count: "count",
	word_count: "count",
	vowel_count: "count",
	digit_sum: "add",
	founding_year_diff: "subtract",
};

/** For each part the hop whose answer is its number; where the answer is the number already, the part's own last one. */
function valueHops(valued: Valued, year: number): { operands: string[]; hops: Hop[] } {
	const hops: Hop[] = [];
	const operands = valued.values.map(({ method, value }, at) => {
		const sink = sinkOf(valued, at);
		if (method === "value") return sink;
		const of = valued.items[at]?.answer.value ?? "";
		const question = (extractors[method]?.asks ?? "").replace("{year}", String(year)).replace("{}", of);
		const compute = { op: ownField(computes, method) ?? "select" };
		const answer = withNumberKind(numberAnswer(value), question);
		hops.push({
			id: `${prefix(at)}-value`,
			modality: "compute",
			evidence: [],
			question,
			answer,
			compute,
			needs: [{ hop: sink, role: "operand" }],
		});
		return `${prefix(at)}-value`;
	});
	return { operands, hops };
}

type Making = {
	encyclopedia: Encyclopedia;
	options: { operations: readonly FusionOperation[]; year: number };
	context: StageContext;
};

/** What the form makes of the parts; undefined where it does not fit them. */
export async function formOf(form: FusionForm, valued: Valued, making: Making): Promise<Fused | undefined> {
	const { options } = making;
	const { values, items } = valued;
	const needs = (ids: readonly string[], role: "operand" | "constraint") => ids.map((hop) => ({ hop, role }));
	const last = (question: string, answer: Answer, op: z.infer<typeof Compute>["op"], of: readonly string[]): Hop => {
		const hop = { id: "result", modality: "compute" as const, question, answer, evidence: [], compute: { op } };
		return { ...hop, needs: needs(of, "operand") };
	};
	const numbers = values.map(({ value }) => value);
	const { operands, hops } = valueHops(valued, options.year);
	if (form === "arithmetic")
		return {
			form,
			task: "The answer is a number computed from the number that each part comes to.",
			operations: options.operations.filter((name) => fusedValue(name, numbers) !== undefined),
			sink(operation, question) {
				const name = fusionOperations.find((one) => one === operation);
				const result = name && fusedValue(name, numbers);
				if (name === undefined || result === undefined) return undefined;
				const answer = withNumberKind(numberAnswer(result), question);
				return { answer, hops: [...hops, last(question, answer, computeOf[name], operands)] };
			},
		};
	const [a, b] = items;
	if (!a || !b || items.length !== 2) return undefined;
	if (form === "conditional") {
		const [first = 0, second = 0] = numbers;
		// a part's own number would be what is compared and what is answered at once
		if (first === second || hops.length !== 2) return undefined;
		return {
			form,
			task: "The answer is the answer of that part whose number is the greater (MAX) or the smaller (MIN).",
			operations: ["MAX", "MIN"],
			sink(operation, question) {
				const chosen = (operation === "MAX") === first > second ? a : b;
				const op = operation === "MAX" ? "argmax" : "argmin";
				return { answer: chosen.answer, hops: [...hops, last(question, chosen.answer, op, operands)] };
			},
		};
	}
	if (form === "temporal") {
		const greater = greaterOf(a.answer, b.answer);
		const owners = items.map(({ chain }) => chain.hops.at(-2)?.answer);
		const [ownerA, ownerB] = owners;
		if (a.answer.type !== "time" || b.answer.type !== "time" || greater === undefined || !ownerA || !ownerB)
			return undefined;
		return {
			form,
			task: "Each part comes to a date of something. The answer is the thing whose date is the earlier (EARLIER) or the later (LATER).",
			operations: ["EARLIER", "LATER"],
			sink(operation, question) {
				const answer = (operation === "LATER") === (greater === 0) ? ownerA : ownerB;
				const ends = items.map((_, at) => sinkOf(valued, at));
				return { answer, hops: [last(question, answer, operation === "LATER" ? "argmax" : "argmin", ends)] };
			},
		};
	}
	const common = await commonNeighbour(valued, making);
	return (
		common && {
			form,
			task: "The answer is the one thing that the answers of both parts lead to, each by what stands beside it. (JOIN)",
			leads: common.labels,
			operations: ["JOIN"],
			sink: (_, question) => ({
				answer: common.answer,
				hops: [
					{
						id: "result",
						modality: "text",
						question,
						answer: common.answer,
						evidence: common.evidence,
						needs: needs(
							items.map((_item, at) => sinkOf(valued, at)),
							"constraint",
						),
					},
				],
			}),
		}
	);
}

/** Statements looked at for each answer. */
const mostAsked = 100;

/** The only entity that the answers of both parts lead to by statements with one end. */
async function commonNeighbour(
	{ items }: Related,
	{ encyclopedia, context }: { encyclopedia: Encyclopedia; context: StageContext },
) {
	const [first = [], second = []] = await Promise.all(
		items.map(async ({ answer, chain }) => {
			if (answer.type !== "string") return [];
			const named = await encyclopedia.resolve(answer.value, { signal: context.signal });
			const [subject, ...others] = named;
			if (!subject || others.length > 0) return [];
			const before = new Set(chain.hops.map((hop) => hop.answer.value));
			const edges = await encyclopedia.neighbours(subject.id, { limit: mostAsked, signal: context.signal });
			return edges.flatMap(({ object, label, values, evidence = [], direction }) =>
				"id" in object && values === 1 && evidence.length > 0 && !before.has(object.name)
					? [{ ...object, evidence, label: direction === "out" ? `its ${label}` : `that of which it is the ${label}` }]
					: [],
			);
		}),
	);
	const shared = first.flatMap((one) => {
		const other = second.find(({ id }) => id === one.id);
		return other ? [{ one, other }] : [];
	});
	const [found, ...others] = [...new Map(shared.map((pair) => [pair.one.id, pair])).values()];
	if (!found || others.length > 0) return undefined;
	const { one, other } = found;
	return {
		answer: stringAnswer(one.name),
		labels: [one.label, other.label] as const,
		evidence: [...new Set([...one.evidence, ...other.evidence])],
	};
}
