import { join } from "node:path";
import { z } from "zod";
import { swiftBehaviour, swiftEmbeddingBehaviour, swiftPreferenceBehaviour } from "../behaviours.ts";
import { checkConversations, type RowMeasure, toldBy, tuningTold } from "../check-conversations.ts";
import { sumOf } from "../images.ts";
import { textTokens, toolsTokens, turnTokens } from "../lengths.ts";
import { imageMark } from "../marks.ts";
import { type Preflight, type ReasonOf, type Report, type RowSize, rowsOf } from "../preflight.ts";
import { recordsIn, recordsOfFolder } from "../records.ts";
import type { RereadOptions } from "../writer.ts";

/** Roles under every name that the preprocessor knows them by. */
const roleNames = {
	system: "system",
	user: "user human",
	assistant: "assistant gpt bot",
	tool_call: "tool_call function_call",
	tool_response: "tool_response tool function_response observation observations",
};
const roles = new Map(
	Object.entries(roleNames).flatMap(([role, names]) => names.split(" ").map((name) => [name, role] as const)),
);

const Messages = z
	.array(
		z.object({
			role: z.string().transform((role) => roles.get(role) ?? role),
			content: z.string(),
			loss: z.boolean().nullish(),
		}),
	)
	.min(1);
const Images = z.array(z.string()).nullish();
const Tools = z.string().nullish();
export const SwiftRow = z.object({ id: z.string().optional(), messages: Messages, images: Images, tools: Tools });
type SwiftRow = z.infer<typeof SwiftRow>;

export const isSaid = (role: string) => role === "assistant" || role === "tool_call";

/** Conversations as `swift sft` reads them, with what the written script tells it. */
export async function checkSwift(dir: string, options: RereadOptions = {}): Promise<Preflight> {
	const { told, ...numbers } = await toldBy(
		join(dir, "train-swift.sh"),
		(option) => new RegExp(`^\\t--${option} (\\w+)`, "m"),
	);
	const setup = {
		tuning: tuningTold(told("tuner_type")),
		precision: told("torch_dtype") === "bfloat16" ? "bf16" : "float32",
	} as const;
	const about = {
		trainer: "swift",
		behaviours: [swiftBehaviour],
		...numbers,
		setup,
		check: checkConversation,
	} as const;
	return checkConversations(dir, rowsOf(recordsOfFolder(dir), SwiftRow), options, about);
}

/** What the template makes of a conversation. */
async function checkConversation(
	row: SwiftRow,
	report: Report<ReasonOf<typeof swiftBehaviour>>,
	measure: RowMeasure,
): Promise<RowSize> {
	const { messages, images, tools } = row;
	const { cutoff } = measure;
	reportProblems(row, report);
	let tokens = (tools ?? "") === "" ? 0 : textTokens(tools ?? "") + toolsTokens;
	for (const { content } of messages) tokens += textTokens(content.replaceAll(imageMark, "")) + turnTokens;
	tokens += sumOf(await measure.images(images ?? [], report));
	if (cutoff !== null && tokens > cutoff) report("too-long", `about ${tokens} tokens, max_length ${cutoff}`);
	return { tokens, images: images?.length ?? 0 };
}

function reportProblems({ messages, images }: SwiftRow, report: Report<ReasonOf<typeof swiftBehaviour>>): void {
	const unknown = messages.find(({ role }) => !Object.hasOwn(roleNames, role));
	if (unknown) {
		report("unknown-role", unknown.role.slice(0, 80));
		return;
	}
	const broken = alternationProblem(messages[0]?.role === "system" ? messages.slice(1) : messages);
	if (broken !== undefined) report("alternation", broken);
	const bad = messages.find(({ role, content }) => role === "tool_call" && swiftCall(content) === undefined);
	if (bad) report("bad-call", bad.content.slice(0, 80));
	const count = images?.length ?? 0;
	// the first system message counts as well
	const marks = messages.reduce((sum, { content }) => sum + content.split(imageMark).length - 1, 0);
	if (marks !== count) report(marks < count ? "fewer-marks" : "more-marks", `${marks} marks, ${count} images`);
	if (!messages.some(({ role, loss }) => isSaid(role) && loss !== false))
		report("nothing-learned", `${messages.length} messages`);
}

/** What is left after the template's joining of neighbours must go shown, said, shown, said. */
function alternationProblem(messages: SwiftRow["messages"]): string | undefined {
	const joined: string[] = [];
	for (const { role } of messages) {
		const kind = isSaid(role) ? "said" : role === "tool_response" ? "tool" : role;
		const last = joined.at(-1);
		if (kind === "tool" && (last === undefined || last === "system")) return "a tool's result comes first";
		// results behind a user's words are folded into them
		if (kind === last || (kind === "tool" && last === "user")) continue;
		joined.push(kind);
	}
	if (joined[0] === "said") joined.unshift("user");
	const wrong = joined.findIndex((kind, index) =>
		index % 2 === 0 ? !["user", "tool"].includes(kind) : kind !== "said",
	);
	return wrong === -1 ? undefined : `turn ${wrong + 1} is "${joined[wrong]}"`;
}

const Call = z.object({ name: z.string(), arguments: z.unknown().optional(), parameters: z.unknown().optional() });

/** A call as the template reads it; undefined where it would fail. */
export function swiftCall(content: string): { name: string; arguments: unknown } | undefined {
	try {
		const { name, arguments: given, parameters } = Call.parse(JSON.parse(content));
		const args = given ?? parameters;
		return args === undefined || args === null ? undefined : { name, arguments: args };
	} catch {
		return undefined;
	}
}

const PreferenceRow = SwiftRow.extend({
	rejected_messages: z.array(Messages.element).nullish(),
	rejected_images: Images,
	rejected_tools: Tools,
});

/** Pairs as `swift rlhf --rlhf_type dpo` reads them. */
export function checkSwiftPreferences(dir: string, file: string, options: RereadOptions = {}): Promise<Preflight> {
	return checkConversations(dir, rowsOf(recordsIn(join(dir, file)), PreferenceRow), options, {
		trainer: "swift",
		behaviours: [swiftBehaviour, swiftPreferenceBehaviour],
		async check({ rejected_messages, rejected_images, rejected_tools, ...chosen }, report, measure) {
			const better = await checkConversation(chosen, report, measure);
			if (!rejected_messages || rejected_messages.length === 0) {
				report("no-rejected", "no rejected_messages");
				return better;
			}
			const rejected = { messages: rejected_messages, images: rejected_images, tools: rejected_tools };
			const worse = await checkConversation(rejected, report, measure);
			if (JSON.stringify(chosen.messages) === JSON.stringify(rejected.messages))
				report("same-sides", `${chosen.messages.length} messages`);
			if ((chosen.tools ?? "") !== (rejected_tools ?? "")) report("tools-differ", "tools and rejected_tools");
			return { tokens: Math.max(better.tokens, worse.tokens), images: better.images + worse.images };
		},
	});
}

const ImageLists = z.array(z.array(z.string())).nullish();
const EmbeddingRow = z.object({
	messages: Messages,
	images: Images,
	positive_messages: z.array(Messages).nullish(),
	positive_images: ImageLists,
	negative_messages: z.array(Messages).nullish(),
	negative_images: ImageLists,
});

/** Queries with evidence as `swift sft --task_type embedding` reads them. */
export function checkSwiftEmbeddings(dir: string, file: string, options: RereadOptions = {}): Promise<Preflight> {
	return checkConversations(dir, rowsOf(recordsIn(join(dir, file)), EmbeddingRow), options, {
		trainer: "swift",
		behaviours: [swiftBehaviour, swiftEmbeddingBehaviour],
		async check(row, report, measure) {
			if ((row.positive_messages?.length ?? 0) === 0) report("no-positive", "no positive_messages");
			if (!row.negative_messages) report("no-negative", "no negative_messages");
			const textsOf = (texts: typeof row.positive_messages, lists: typeof row.positive_images) => {
				if (lists && texts && lists.length < texts.length)
					report("image-lists", `${texts.length} texts, ${lists.length} lists`);
				return (texts ?? []).map((text, at) => ({ messages: text, images: lists?.[at] }));
			};
			const positives = textsOf(row.positive_messages, row.positive_images);
			const negatives = textsOf(row.negative_messages, row.negative_images);
			const reportText: Report<ReasonOf<typeof swiftBehaviour>> = (reason, found) => {
				// nothing is said in any of them
				if (reason !== "nothing-learned") report(reason, found);
			};
			const sizes: RowSize[] = [];
			for (const text of [{ messages: row.messages, images: row.images }, ...positives, ...negatives])
				sizes.push(await checkConversation(text, reportText, measure));
			const right = new Set(positives.map((one) => JSON.stringify(one)));
			if (negatives.some((one) => right.has(JSON.stringify(one))))
				report("positive-again", `${negatives.length} negatives`);
			return {
				tokens: Math.max(...sizes.map(({ tokens }) => tokens)),
				images: sumOf(sizes.map(({ images }) => images)),
			};
		},
	});
}
