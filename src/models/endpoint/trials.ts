/**
 * Test calls that show what a model's server does where it declares nothing: few, of few tokens, and each built so that
 * only doing what was asked can look like it. What a call leaves open stays unknown.
 */
import { type Ability, addUsage, type Known, noUsage, parseJson, type Usage } from "#domain";
import type { ChatMessage, ChatModel, ChatReply, ChatRequest, ToolDeclaration } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";

type Seen = Partial<Record<Ability, Known>>;
/** What came of one call: a reply, or a request that the server will never answer as it stands. */
type Answer = { is: "reply"; reply: ChatReply } | { is: "refused"; why: string; lacks: ModelError["lacks"] };
type Ask = (request: ChatRequest) => Promise<Answer>;

interface Trial {
	/** What it tells of. */
	of: Ability[];
	/** Calls at most. */
	calls: number;
	/** Tokens of each reply at most: where it matters what is said, a model that thinks first needs more than its few words. */
	tokens: number;
	run(ask: Ask): Promise<Seen>;
}

const yes = (how: string): Known => ({ is: "yes", from: "tested", how });
const no = (how: string): Known => ({ is: "no", from: "tested", how });
const open = (how: string): Known => ({ is: "unknown", how });

const user = (text: string): ChatMessage => ({ role: "user", content: [{ type: "text", text }] });
const quoted = (text: string) => `"${text.replace(/\s+/g, " ").trim().slice(0, 80)}"`;
const refused = (why: string) => no(`refused: ${why}`);
/** Where a request differs in more than one way, a refusal is a no only if it says so. */
const ifLacking = (
	what: NonNullable<ModelError["lacks"]>,
	{ why, lacks }: { why: string; lacks: ModelError["lacks"] },
) => (lacks === what ? refused(why) : open(`refused, perhaps for another reason: ${why}`));
/** Why a reply that says nothing tells nothing. */
const silent = ({ thought }: ChatReply) =>
	open(thought ? "it thought until its tokens were spent, and said nothing" : "it said nothing");

const stop: Trial = {
	of: ["stop"],
	calls: 1,
	tokens: 60,
	async run(ask) {
		// hardly any English words of this do without the letter
		const answer = await ask({ messages: [user("Name the four seasons in one sentence.")], stop: ["e"] });
		if (answer.is === "refused") return { stop: refused(answer.why) };
		const { text, ignored = [], finish } = answer.reply;
		if (ignored.includes("stop")) return { stop: no("refused, and left out from then on") };
		if (text.includes("e")) return { stop: no(`went on behind the stop string: ${quoted(text)}`) };
		if (text !== "" && finish === "stop") return { stop: yes(`ended before it: ${quoted(text)}`) };
		return { stop: text === "" ? silent(answer.reply) : open(`never came to the stop string: ${quoted(text)}`) };
	},
};

const logprobs: Trial = {
	of: ["logprobs"],
	calls: 1,
	tokens: 8,
	async run(ask) {
		const answer = await ask({ messages: [user("Say hello.")], logprobs: true });
		if (answer.is === "refused") return { logprobs: refused(answer.why) };
		const { logprobs: got, ignored = [], thought = "", text } = answer.reply;
		if (ignored.includes("logprobs")) return { logprobs: no("refused, or not in this form of request") };
		if (got && got.length > 0) return { logprobs: yes(`came with ${got.length} tokens`) };
		return { logprobs: thought + text === "" ? silent(answer.reply) : no("asked for, and not in the reply") };
	},
};

const seed: Trial = {
	of: ["seed"],
	calls: 3,
	tokens: 30,
	async run(ask) {
		const texts: string[] = [];
		for (const value of [11, 11, 12]) {
			const answer = await ask({ messages: [user("Write ten random words.")], seed: value, temperature: 1 });
			if (answer.is === "refused") return { seed: refused(answer.why) };
			const { ignored = [], thought = "", text } = answer.reply;
			if (ignored.includes("seed")) return { seed: no("refused, or not in this form of request") };
			if (thought + text === "") return { seed: silent(answer.reply) };
			texts.push(thought + text);
		}
		const [first, second, other] = texts;
		if (first !== second) return { seed: no("two calls with one seed were answered differently") };
		if (first !== other) return { seed: yes("one seed was answered alike twice, another one otherwise") };
		return { seed: open("every seed was answered alike") };
	},
};

const pictures: Trial = {
	of: ["pictures"],
	calls: 1,
	tokens: 200,
	async run(ask) {
		const content: ChatMessage["content"] = [
			await twoColours(),
			{ type: "text", text: "Which two colours does this picture show? Answer with two words." },
		];
		const answer = await ask({ messages: [{ role: "user", content }] });
		if (answer.is === "refused") return { pictures: ifLacking("pictures", answer) };
		const { text } = answer.reply;
		if (/purple|violet|magenta/i.test(text) && /yellow/i.test(text))
			return { pictures: yes(`named both colours of a picture: ${quoted(text)}`) };
		return {
			pictures: text === "" ? silent(answer.reply) : open(`took a picture, and of its colours said ${quoted(text)}`),
		};
	},
};

/** Purple on the left, yellow on the right: not what one would guess. */
async function twoColours(): Promise<ChatMessage["content"][number]> {
	const { default: sharp } = await import("sharp");
	const [width, height] = [224, 224];
	const pixels = Buffer.alloc(width * height * 3);
	for (let at = 0; at < width * height; at += 1)
		pixels.set(at % width < width / 2 ? [128, 0, 160] : [255, 220, 0], at * 3);
	const data = await sharp(pixels, { raw: { width, height, channels: 3 } })
		.png()
		.toBuffer();
	return { type: "image", data, mediaType: "image/png", file: "two-colours.png" };
}

const output: Trial = {
	of: ["output"],
	calls: 1,
	tokens: 200,
	async run(ask) {
		// nothing else says what the reply is to be
		const schema = {
			type: "object",
			properties: { greeting_code: { type: "integer", enum: [417] } },
			required: ["greeting_code"],
			additionalProperties: false,
		};
		const answer = await ask({ messages: [user("Say hello.")], output: { name: "greeting", schema } });
		if (answer.is === "refused") return { output: refused(answer.why) };
		const { text, ignored = [] } = answer.reply;
		if (ignored.includes("output")) return { output: no("refused, and left out from then on") };
		const value = parseJson(text) as { greeting_code?: unknown } | null | undefined;
		if (value?.greeting_code === 417)
			return { output: yes("a reply was held to a schema that only the request named") };
		return { output: text === "" ? silent(answer.reply) : no(`a schema was passed over: ${quoted(text)}`) };
	},
};

const weather: ToolDeclaration = {
	name: "get_weather",
	description: "The weather of a city.",
	parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

const tools: Trial = {
	of: ["tools", "parallelTools"],
	calls: 2,
	tokens: 200,
	async run(ask) {
		const question = user("What is the weather in Oslo and in Lima? Call get_weather for both cities at once.");
		const answer = await ask({ messages: [question], tools: [weather] });
		if (answer.is === "refused") return { tools: refused(answer.why), parallelTools: open("it takes no tools") };
		const { calls = [], text } = answer.reply;
		if (calls.length > 1)
			return { tools: yes("called a function"), parallelTools: yes(`made ${calls.length} calls in one reply`) };
		const called = calls.length === 1;
		const seen: Seen = called
			? { tools: yes("called a function") }
			: { tools: text === "" ? silent(answer.reply) : open(`was offered a function, and said ${quoted(text)}`) };
		// a chat template may refuse a turn of two calls when it is read again
		const cities = ["Oslo", "Lima"].map((city, at) => ({
			id: `call${at}abcde`,
			name: weather.name,
			arguments: JSON.stringify({ city }),
		}));
		const results = cities.map(
			({ id }): ChatMessage => ({ role: "tool", callId: id, content: [{ type: "text", text: "sunny" }] }),
		);
		const messages = [question, { role: "assistant" as const, content: [], calls: cities }, ...results];
		const again = await ask({ messages, tools: [weather] });
		if (again.is === "refused") return { ...seen, parallelTools: ifLacking("several calls", again) };
		const asked = called ? "made one call where two were asked for" : "made none";
		return { ...seen, parallelTools: open(`${asked}, and takes a turn of two`) };
	},
};

/** In the order in which they are made. */
const trials: readonly Trial[] = [stop, logprobs, output, seed, tools, pictures];

const asOpen = (of: Ability[], how: string): Seen => Object.fromEntries(of.map((one) => [one, open(how)]));
const needed = (unknown: readonly Ability[]) =>
	trials.filter(({ of }) => of.some((ability) => unknown.includes(ability)));

/** Tokens of the first reply, which shows that the model answers at all. */
const firstTokens = 16;

/** What trying these abilities takes at most: calls, and tokens of all replies. */
export function mostOfTrials(unknown: readonly Ability[]): { calls: number; outputTokens: number } {
	const trials = needed(unknown);
	return {
		calls: trials.reduce((sum, { calls }) => sum + calls, 1),
		outputTokens: trials.reduce((sum, { calls, tokens }) => sum + calls * tokens, firstTokens),
	};
}

/**
 * Tries these abilities of a model. A failure that may pass, as of a limit by the minute, leaves what it hit unknown, with
 * the reason; the failure of the first call, which asks for nothing special, is thrown.
 */
export async function tryOut(
	model: ChatModel,
	unknown: readonly Ability[],
	{ signal }: { signal?: AbortSignal | undefined } = {},
): Promise<{ seen: Seen; usage: Usage }> {
	let usage = noUsage;
	let thought = false;
	const complete = async (request: ChatRequest, maxTokens: number) => {
		const reply = await model.complete({ ...request, maxTokens }, signal ? { signal } : {});
		usage = addUsage(usage, reply.usage);
		thought ||= reply.thought !== undefined;
		return reply;
	};
	const asking =
		(tokens: number): Ask =>
		async (request) => {
			try {
				return { is: "reply", reply: await complete(request, tokens) };
			} catch (error) {
				if (!(error instanceof ModelError) || error.kind !== "request") throw error;
				return { is: "refused", why: error.message.replace(`${model.id}: `, ""), lacks: error.lacks };
			}
		};
	await complete({ messages: [user("Say hello.")] }, firstTokens);
	const seen: Seen = {};
	let gone: string | undefined;
	for (const { of, tokens, run } of needed(unknown)) {
		const tried = of.filter((ability) => unknown.includes(ability));
		if (gone !== undefined) {
			Object.assign(seen, asOpen(tried, gone));
			continue;
		}
		try {
			const found = await run(asking(tokens));
			for (const ability of tried) if (found[ability]) seen[ability] = found[ability];
		} catch (error) {
			if (!(error instanceof ModelError)) throw error;
			Object.assign(seen, asOpen(tried, `could not be tested: ${error.message}`));
			// a server that is too slow, or away, would be waited for again and again
			if (error.status === undefined) gone = "not tested: a call before it got no reply";
		}
	}
	if (unknown.includes("reasoning") && thought) seen.reasoning = yes("a reply came with its reasoning apart");
	return { seen, usage };
}
