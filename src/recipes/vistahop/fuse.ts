import type { z } from "zod";
import { type Answer, type Hop, Item, questionOf } from "#domain";
import type { Encyclopedia } from "../encyclopedia/encyclopedia.ts";
import { newItem } from "../engine/new-item.ts";
import { asDrop, asPiece, defineStage, type Stage, type StageContext } from "../engine/stage.ts";
import { cluesIn } from "./ask.ts";
import type { Valued } from "./extract-values.ts";
import { extractors, type FusionOperation } from "./extractors.ts";
import { type Fused, type FusionForm, formOf, partHops } from "./forms.ts";
import { fuseQuestionsPrompt } from "./prompts.ts";

export interface Fusing {
	forms: readonly FusionForm[];
	operations: readonly FusionOperation[];
	year: number;
	/** A model's result that is not the one computed here: replaced, or the question dropped. */
	arithmetic: "correct" | "drop";
	/** How an arithmetic question ends. */
	ending: string;
	phrase: string;
}

/** One question over several chains, and the chains as one graph that computes its answer. */
export function fuse(encyclopedia: Encyclopedia, options: Fusing): Stage<Valued, Item> {
	const { forms, operations, ending, phrase, arithmetic, year } = options;
	return defineStage("compose", "fuse", 2, {
		output: Item,
		params: { forms, operations, ending, phrase, arithmetic, year, encyclopedia: encyclopedia.id },
		calls: [{ role: "generator", each: 1, prompt: fuseQuestionsPrompt.hash }],
		async run(valued, context) {
			const possible: Fused[] = [];
			for (const form of forms) {
				const fused = await formOf(form, valued, { encyclopedia, options, context });
				if (fused) possible.push(fused);
			}
			const fused = context.random(valued.id).pick(possible);
			if (!fused) return [asDrop("forced_pairing", "no form fits the parts")];
			const rules = [
				`- Use the words "${phrase}" for every thing in the image.`,
				...(fused.form === "arithmetic" ? [`- The question ends with: ${ending}`, "- Write no digits."] : []),
				`- "operation" is one of: ${fused.operations.join(", ")}.`,
			];
			const { value: said } = await context.ask("generator", fuseQuestionsPrompt, {
				form: fused.task,
				rules: rules.join("\n"),
				parts: partsOf(valued, fused, { year }),
			});
			const operation = said.operation.trim().toUpperCase();
			const sink = fused.operations.includes(operation) ? fused.sink(operation, said.question) : undefined;
			if (!sink) return [asDrop("arithmetic_wrong", `${said.operation} cannot be made of the values`)];
			const right = [sink.answer.value, ...sink.answer.accepted].includes(said.result.trim());
			if (arithmetic === "drop" && !right)
				return [asDrop("arithmetic_wrong", `${operation} is ${sink.answer.value}, not ${said.result}`)];
			return [asPiece(fusedItem(valued, { form: fused.form, operation, said, sink }, context))];
		},
	});
}

function partsOf({ items, values }: Valued, { form, leads = [] }: Fused, { year }: { year: number }): string {
	const withMethods = form !== "temporal" && form !== "cross-anchor";
	return items
		.map((item, at) => {
			const asks =
				extractors[values[at]?.method ?? ""]?.asks.replace("{year}", String(year)).replace("{}", "its answer") ?? "";
			return `Part ${at + 1}: ${questionOf(item)}${withMethods ? `\nIts number: ${asks}` : ""}${leads[at] ? `\nLeads on by: ${leads[at]}` : ""}`;
		})
		.join("\n");
}

function fusedItem(
	valued: Valued,
	made: {
		form: FusionForm;
		operation: string;
		said: z.infer<(typeof fuseQuestionsPrompt)["output"]>;
		sink: { hops: Hop[]; answer: Answer };
	},
	{ recipe }: StageContext,
): Item {
	const { items, values } = valued;
	const { form, operation, said, sink } = made;
	const images = [...new Map(items.flatMap((item) => item.images).map((image) => [image.id, image])).values()];
	const hides = [...new Set(items.flatMap((item) => item.images).flatMap((image) => image.hides ?? []))];
	const [first] = items;
	return newItem(
		{
			question: said.question,
			answer: sink.answer,
			chain: { hops: [...partHops(valued), ...sink.hops], sink: "result" },
			by: "fuse",
			images: images.map((image) => ({ ...image, hides })),
			lineage: items.map(({ id }) => id),
			tags: { ...first?.tags, language: "en" },
			...(first?.cluster === undefined ? {} : { cluster: first.cluster }),
			source: first?.source ?? "",
			rights: [...new Set(items.map(({ rights }) => rights))].join("; "),
			notes: {
				clues: cluesIn(said.question, said.clues),
				fusion: { form, operation, values, claimed: said.result },
				parts: items.map((item) => ({ id: item.id, question: questionOf(item), anchor: item.notes.anchor ?? null })),
			},
		},
		recipe,
	);
}
