import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeCall } from "#agents";
import { createImageReader } from "../images.ts";
import { imageTokens, type Template, textTokens, toolsTokens, turnTokens } from "../lengths.ts";
import { imageMark, swiftMarks } from "../marks.ts";
import { createPreflight, type Effect, type Found, type Preflight, type ReadRow } from "../preflight.ts";
import { recordsOfFolder, rowsOf, unreadable } from "../records.ts";
import { defaultMaxPixels, type RereadOptions } from "../writer.ts";

const dropped = "the row is left out and another taken in its place";
/** ms-swift 4.6.0: its row preprocessor and its template's encoding, with the options of the written script. */
export const swiftReasons = {
	...unreadable,
	"wrong-shape": { effect: "drops", means: `messages are missing or one has no role and content: ${dropped}` },
	"unknown-role": { effect: "drops", means: `a role that is not known: ${dropped}` },
	alternation: { effect: "drops", means: `what is shown and what is said do not take turns: ${dropped}` },
	"bad-call": { effect: "drops", means: `a call is no JSON with name and arguments: ${dropped}` },
	"missing-image": { effect: "drops", means: `an image file is not there: ${dropped}` },
	"no-image": { effect: "drops", means: `an image file cannot be opened: ${dropped}` },
	"too-long": { effect: "drops", means: `longer than max_length: ${dropped}` },
	"fewer-marks": {
		effect: "alters",
		means: `there are fewer ${imageMark} than images: the rest is shown at the very start`,
	},
	"more-marks": { effect: "alters", means: `there are more ${imageMark} than images: the last ones stay as text` },
	"nothing-learned": { effect: "alters", means: "no turn of the policy has a loss" },
} satisfies Record<string, { effect: Effect; means: string }>;
export type SwiftReason = keyof typeof swiftReasons;
export const swiftTrainer = "ms-swift 4.6.0";

/** Roles under every name that the preprocessor knows them by. */
const roles: Readonly<Record<string, string>> = {
	system: "system",
	user: "user",
	human: "user",
	assistant: "assistant",
	gpt: "assistant",
	bot: "assistant",
	tool_call: "tool_call",
	function_call: "tool_call",
	tool_response: "tool_response",
	tool: "tool_response",
	function_response: "tool_response",
	observation: "tool_response",
	observations: "tool_response",
};

export const SwiftRow = z.object({
	id: z.string().optional(),
	messages: z
		.array(
			z.object({
				role: z.string().transform((role) => (Object.hasOwn(roles, role) ? (roles[role] ?? role) : role)),
				content: z.string(),
				loss: z.boolean().nullish(),
			}),
		)
		.min(1),
	images: z.array(z.string()).nullish(),
	tools: z.string().nullish(),
});
export type SwiftRow = z.infer<typeof SwiftRow>;

const said = (role: string) => role === "assistant" || role === "tool_call";

/** What the written script tells the trainer. */
async function scriptOf(dir: string): Promise<{ cutoff: number | null; maxPixels: number }> {
	const text = await readFile(join(dir, "train-swift.sh"), "utf8").catch(() => "");
	const number = (option: string) => {
		const found = new RegExp(`--${option} (\\d+)`).exec(text)?.[1];
		return found === undefined ? undefined : Number(found);
	};
	return { cutoff: number("max_length") ?? null, maxPixels: number("max_pixels") ?? defaultMaxPixels };
}

export async function rereadSwift(dir: string, options: RereadOptions = {}): Promise<Preflight> {
	const { template = "qwen2_vl", signal } = options;
	const script = await scriptOf(dir);
	const { cutoff = script.cutoff, maxPixels = script.maxPixels } = options;
	const preflight = createPreflight<SwiftReason>(swiftReasons, { trainer: swiftTrainer, template, cutoff });
	const check = createConversationCheck(dir, { template, cutoff, maxPixels });
	for await (const { line, row } of rowsOf(recordsOfFolder(dir), SwiftRow, { preflight, signal })) {
		const { found, ...size } = await check(row);
		preflight.row(row.id ?? `line ${line}`, found, size);
	}
	return preflight.result();
}

/** What the template makes of a conversation: its problems, estimated tokens and images. */
export function createConversationCheck(
	dir: string,
	{ template, cutoff, maxPixels }: { template: Template; cutoff: number | null; maxPixels: number },
) {
	const sizeOf = createImageReader(dir);
	return async (row: SwiftRow): Promise<{ found: Found<SwiftReason>[]; tokens: number; images: number }> => {
		const { messages, images, tools } = row;
		const found = [...problems(row)];
		let tokens = (tools ?? "") === "" ? 0 : textTokens(tools ?? "") + toolsTokens;
		for (const { content } of messages) tokens += textTokens(content.replaceAll(imageMark, "")) + turnTokens;
		for (const path of images ?? []) {
			const size = await sizeOf(path);
			if (typeof size !== "string") tokens += imageTokens(size, template, { maxPixels, tiles: true });
			else found.push({ reason: size === "missing" ? "missing-image" : "no-image", found: path });
		}
		if (cutoff !== null && tokens > cutoff)
			found.push({ reason: "too-long", found: `about ${tokens} tokens, max_length ${cutoff}` });
		return { found, tokens, images: images?.length ?? 0 };
	};
}

function* problems({ messages, images }: SwiftRow): Generator<Found<SwiftReason>> {
	const unknown = messages.find(({ role }) => !Object.values(roles).includes(role));
	if (unknown) return yield { reason: "unknown-role", found: unknown.role.slice(0, 80) };
	const broken = alternationProblem(messages[0]?.role === "system" ? messages.slice(1) : messages);
	if (broken !== undefined) yield { reason: "alternation", found: broken };
	const bad = messages.find(({ role, content }) => role === "tool_call" && callOf(content) === undefined);
	if (bad) yield { reason: "bad-call", found: bad.content.slice(0, 80) };
	const count = images?.length ?? 0;
	// the first system message counts as well
	const marks = messages.reduce((sum, { content }) => sum + content.split(imageMark).length - 1, 0);
	if (marks !== count)
		yield { reason: marks < count ? "fewer-marks" : "more-marks", found: `${marks} marks, ${count} images` };
	if (!messages.some(({ role, loss }) => said(role) && loss !== false))
		yield { reason: "nothing-learned", found: `${messages.length} messages` };
}

/** What is left after the template's joining of neighbours must go shown, said, shown, said. */
function alternationProblem(messages: SwiftRow["messages"]): string | undefined {
	const joined: string[] = [];
	for (const { role } of messages) {
		const kind = said(role) ? "said" : role === "tool_response" ? "tool" : role;
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

function callOf(content: string): { name: string; arguments: unknown } | undefined {
	try {
		const { name, arguments: given, parameters } = Call.parse(JSON.parse(content));
		const args = given ?? parameters;
		return args === undefined || args === null ? undefined : { name, arguments: args };
	} catch {
		return undefined;
	}
}

const Call = z.object({ name: z.string(), arguments: z.unknown().optional(), parameters: z.unknown().optional() });

export async function* readSwift(dir: string): AsyncGenerator<ReadRow> {
	for await (const { line, value } of recordsOfFolder(dir)) {
		const read = SwiftRow.safeParse(value);
		if (!read.success) continue;
		const { id = `line ${line}`, messages, images, tools } = read.data;
		const first = messages[0]?.role === "system" ? messages.shift() : undefined;
		const turns: ReadRow["turns"] = [];
		for (const { role, content, loss } of messages) {
			const call = role === "tool_call" ? callOf(swiftMarks.unescape(content)) : undefined;
			const text = call
				? writeCall(call.name, call.arguments as object)
				: swiftMarks.unescape(content.replaceAll(imageMark, ""));
			const turn = { role, text, images: content.split(imageMark).length - 1, train: said(role) && loss !== false };
			const last = turns.at(-1);
			if (last && (said(role) ? said(last.role) : last.role === role))
				turns[turns.length - 1] = {
					...turn,
					// a thought brings its own line end
					text: last.role === "assistant" ? last.text + text : `${last.text}\n${text}`,
					images: last.images + turn.images,
				};
			else turns.push(turn);
		}
		yield {
			id,
			system: swiftMarks.unescape(first?.content ?? ""),
			tools: swiftMarks.unescape(tools ?? ""),
			turns,
			images: images ?? [],
		};
	}
}
