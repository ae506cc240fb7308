import { join } from "node:path";
import { z } from "zod";
import { createPreflight, type Effect, type Found, type Preflight } from "../preflight.ts";
import { recordsIn, rowsOf } from "../records.ts";
import { defaultMaxPixels, type RereadOptions } from "../writer.ts";
import { createConversationCheck, type SwiftReason, SwiftRow, swiftReasons, swiftTrainer } from "./reread.ts";

const { messages: Messages, images: Images, tools: Tools } = SwiftRow.shape;

const PreferenceRow = SwiftRow.extend({
	rejected_messages: z.array(Messages.element).nullish(),
	rejected_images: Images,
	rejected_tools: Tools,
});

const preferenceReasons = {
	...swiftReasons,
	"no-rejected": {
		effect: "alters",
		means: "no rejected side: the chosen one is taken for it, and nothing is preferred",
	},
	"same-sides": { effect: "alters", means: "both sides are the same: nothing is preferred" },
	"tools-differ": { effect: "alters", means: "the two sides are told different tools, so that their prompts differ" },
} satisfies Record<string, { effect: Effect; means: string }>;

/** Pairs as `swift rlhf --rlhf_type dpo` reads them: each side is a conversation of its own. */
export async function rereadSwiftPreferences(
	dir: string,
	file: string,
	options: RereadOptions = {},
): Promise<Preflight> {
	const { template = "qwen2_vl", cutoff = null, maxPixels = defaultMaxPixels, signal } = options;
	const preflight = createPreflight(preferenceReasons, { trainer: swiftTrainer, template, cutoff });
	const check = createConversationCheck(dir, { template, cutoff, maxPixels });
	for await (const { line, row } of rowsOf(recordsIn(join(dir, file)), PreferenceRow, { preflight, signal })) {
		const { rejected_messages, rejected_images, rejected_tools, ...chosen } = row;
		const found: Found<keyof typeof preferenceReasons>[] = [];
		const better = await check(chosen);
		found.push(...better.found);
		let { tokens, images } = better;
		if ((rejected_messages?.length ?? 0) === 0) found.push({ reason: "no-rejected", found: "no rejected_messages" });
		else {
			const rejected = { messages: rejected_messages ?? [], images: rejected_images, tools: rejected_tools };
			const worse = await check(rejected);
			found.push(...worse.found);
			tokens = Math.max(tokens, worse.tokens);
			images += worse.images;
			if (JSON.stringify(chosen.messages) === JSON.stringify(rejected.messages))
				found.push({ reason: "same-sides", found: `${chosen.messages.length} messages` });
			if ((chosen.tools ?? "") !== (rejected_tools ?? ""))
				found.push({ reason: "tools-differ", found: "tools and rejected_tools" });
		}
		preflight.row(chosen.id ?? `line ${line}`, found, { tokens, images });
	}
	return preflight.result();
}

const dropped = "the row is left out and another taken in its place";
const ImageLists = z.array(z.array(z.string())).nullish();
const EmbeddingRow = z.object({
	messages: Messages,
	images: Images,
	positive_messages: z.array(Messages).nullish(),
	positive_images: ImageLists,
	negative_messages: z.array(Messages).nullish(),
	negative_images: ImageLists,
});

const embeddingReasons = {
	...swiftReasons,
	"no-positive": { effect: "drops", means: `nothing that answers the query: ${dropped}` },
	"no-negative": { effect: "drops", means: `a row without negative_messages: ${dropped}` },
	"image-lists": { effect: "drops", means: `lists of images are not as many as their texts: ${dropped}` },
	"positive-again": { effect: "alters", means: "a negative is the positive itself" },
} satisfies Record<string, { effect: Effect; means: string }>;

/** Queries with evidence as `swift sft --task_type embedding` reads them. */
export async function rereadSwiftEmbeddings(
	dir: string,
	file: string,
	options: RereadOptions = {},
): Promise<Preflight> {
	const { template = "qwen2_vl", cutoff = null, maxPixels = defaultMaxPixels, signal } = options;
	const preflight = createPreflight(embeddingReasons, { trainer: swiftTrainer, template, cutoff });
	const check = createConversationCheck(dir, { template, cutoff, maxPixels });
	for await (const { line, row } of rowsOf(recordsIn(join(dir, file)), EmbeddingRow, { preflight, signal })) {
		const { messages, images, positive_messages, positive_images, negative_messages, negative_images } = row;
		const found: Found<keyof typeof embeddingReasons>[] = [];
		if ((positive_messages?.length ?? 0) === 0) found.push({ reason: "no-positive", found: "no positive_messages" });
		if (!negative_messages) found.push({ reason: "no-negative", found: "no negative_messages" });
		const textsOf = (texts: typeof positive_messages, lists: typeof positive_images) => {
			if (lists && texts && lists.length < texts.length)
				found.push({ reason: "image-lists", found: `${texts.length} texts, ${lists.length} lists` });
			return (texts ?? []).map((text, at) => ({ messages: text, images: lists?.[at] }));
		};
		const positives = textsOf(positive_messages, positive_images);
		const negatives = textsOf(negative_messages, negative_images);
		let tokens = 0;
		let shown = 0;
		for (const text of [{ messages, images }, ...positives, ...negatives]) {
			const checked = await check(text);
			// nothing is said in any of them
			found.push(...checked.found.filter(({ reason }: Found<SwiftReason>) => reason !== "nothing-learned"));
			tokens = Math.max(tokens, checked.tokens);
			shown += checked.images;
		}
		const right = new Set(positives.map((one) => JSON.stringify(one)));
		if (negatives.some((one) => right.has(JSON.stringify(one))))
			found.push({ reason: "positive-again", found: `${negatives.length} negatives` });
		preflight.row(`line ${line}`, found, { tokens, images: shown });
	}
	return preflight.result();
}
