import type { JsonSchema } from "#models";
import { either, grammarOf, literal, type NextReply } from "../driver/grammar.ts";
import type { Intention, PolicyMove, Speech } from "../driver/speech.ts";
import { writeCall } from "./hermes.ts";
import type { OfferedTool } from "./offered-tools.ts";

/** How a form of calls writes its turns. */
export interface CallWriting {
	/** Calls in the provider's form, or in text. */
	form: "declared" | "told";
	tools: readonly OfferedTool[];
	/** A thought as it stands before what is done. */
	think(thought: string): string;
	/** A line that ends the task. */
	answer(text: string): string;
}

/** The turns of a form of calls as a model should make them, one call each. */
export function callSpeech(writing: CallWriting): Speech {
	let said = 0;
	return {
		subQuestions: false,
		say(intention) {
			said += 1;
			return sayCall(intention, { ...writing, id: `call-${said}` });
		},
	};
}

/**
 * What a turn with calls in text is held to, as the speech writes it: a thought, then one call of those offered, or an answer.
 * Without images no tool that looks at one can be called.
 */
export function callGrammar(
	{ tools, think, answer }: CallWriting,
	{ last, images }: Pick<NextReply, "last"> & { images: number },
): string {
	const around = (write: (text: string) => string, content: string) => {
		const [before = "", after = ""] = write(place).split(place);
		return [before && literal(before), content, after && literal(after)].filter(Boolean).join(" ");
	};
	const useful = tools.filter(({ tool }) => images > 0 || !looking.has(tool));
	const calls = useful.flatMap(({ declaration: { name, parameters } }) => {
		const given = objectRule(parameters);
		if (given === undefined) return [];
		const [before = "", after = ""] = writeCall(name, {}).split("{}");
		return [`${literal(before)} ${given} ${literal(after)}`];
	});
	const ends = around(answer, "words");
	const acts = last || calls.length === 0 ? ends : either(...calls, ends);
	return grammarOf(`${around(think, "line")} ${literal("\n")} ${acts}`);
}

const looking = new Set<OfferedTool["tool"]>(["image_search_by_image", "image_crop", "web_image_search"]);

/** Stands where something is to be said. */
const place = "\u0000";

/** An object of what a schema requires, in its order; undefined where a part of it is of no known kind. */
function objectRule({ properties = {}, required = [] }: JsonSchema): string | undefined {
	const schemas = properties as Readonly<Record<string, JsonSchema>>;
	const fields = (required as readonly string[]).map((name) => {
		const value = valueRule(schemas[name] ?? {});
		return value === undefined ? undefined : `${literal(`${JSON.stringify(name)}:`)} ${value}`;
	});
	if (fields.includes(undefined)) return undefined;
	return [literal("{"), fields.join(` ${literal(",")} `), literal("}")].filter(Boolean).join(" ");
}

const number = "[0-9]{1,4}";

function valueRule({ type, minItems }: JsonSchema): string | undefined {
	if (type === "string") return `${literal('"')} quoted ${literal('"')}`;
	if (type === "integer" || type === "number") return number;
	if (type !== "array" || typeof minItems !== "number" || minItems < 1) return undefined;
	return [
		literal("["),
		...Array(minItems)
			.fill(number)
			.flatMap((one, at) => (at === 0 ? [one] : [literal(","), one])),
		literal("]"),
	].join(" ");
}

/** One turn; undefined where no tool that is offered makes such a search. `id` names the call. */
function sayCall(
	{ thought, act }: Omit<Intention, "subAnswer">,
	{ form, tools, think, answer, id }: CallWriting & { id: string },
): PolicyMove | undefined {
	const text = think(thought);
	if (act.is === "answer") return { is: "says", text: `${text}\n${answer(act.text)}` };
	const tool = tools.find((one) => one.tool === act.tool);
	const given = tool?.write?.(act);
	if (!tool || !given) return undefined;
	const { name } = tool.declaration;
	return form === "told"
		? { is: "says", text: `${text}\n${writeCall(name, given)}` }
		: { is: "calls", text, calls: [{ name, arguments: given, id }] };
}
