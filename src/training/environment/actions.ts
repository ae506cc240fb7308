import type { PolicyMove } from "#agents";
import { HopscopeError } from "#domain";
import type { ToolDeclaration } from "#models";

/** Characters that a policy may say in one move. */
export const mostSaid = 1_000_000;

const textArgument = (description: string) => ({
	type: "object",
	properties: { text: { type: "string", description } },
	required: ["text"],
});

/** Takes a whole turn of a protocol whose calls are made in text. */
export const sayTool: ToolDeclaration = {
	name: "say",
	description: "Takes one whole reply, in the words and tags that the instructions ask for, and shows what it led to.",
	parameters: textArgument("The reply, unaltered."),
};

/** Ends an episode of a protocol that declares its tools. */
export const answerTool: ToolDeclaration = {
	name: "answer",
	description:
		"Hands in the final answer and ends the task. Where tools are all you can use, answer by calling this instead of replying without a call.",
	parameters: textArgument("The answer alone, as short as it can be."),
};

/**
 * The moves of an episode as tools, for clients that know only tools: those that the protocol declares and one that
 * answers; or one that says a turn, where calls are made in text, so that a policy trains on the protocol's exact words.
 */
export function actionTools(declared: readonly ToolDeclaration[]): ToolDeclaration[] {
	if (declared.length === 0) return [sayTool];
	return declared.some(({ name }) => name === answerTool.name) ? [...declared] : [...declared, answerTool];
}

/**
 * The move that a call of such a tool makes. A wrong call of a declared function, or of one that there is not, is the
 * policy's own and a move like any other; throws `bad-action` where nothing could be played. `say` is taken everywhere:
 * for clients that hand in the last words of a policy.
 */
export function moveOf(name: string, given: unknown, declared: readonly ToolDeclaration[]): PolicyMove {
	const tool = declared.find((one) => one.name === name);
	if (!tool && name === sayTool.name) return { is: "says", text: textIn(given, name) };
	if (declared.length === 0) throw badAction(`there is no tool ${JSON.stringify(name.slice(0, 200))}, only "say"`);
	if (!tool && name === answerTool.name) return { is: "answers", text: textIn(given, name) };
	return { is: "calls", calls: [{ name, arguments: withoutNulls(given, tool) }] };
}

function textIn(given: unknown, name: string): string {
	const text = given !== null && typeof given === "object" && "text" in given ? given.text : undefined;
	if (typeof text === "string" && text.length <= mostSaid) return text;
	throw badAction(`"${name}" takes an argument "text", at most ${mostSaid} characters long`);
}

/** Clients that bind a tool as a function send null for every argument that may be left out and was. */
function withoutNulls(given: unknown, tool: ToolDeclaration | undefined): unknown {
	if (given === null || typeof given !== "object" || Array.isArray(given)) return given;
	const { required } = tool?.parameters ?? {};
	const needed: unknown[] = Array.isArray(required) ? required : [];
	return Object.fromEntries(Object.entries(given).filter(([key, value]) => value !== null || needed.includes(key)));
}

const badAction = (message: string) => new HopscopeError("bad-action", message, "Ask for the list of tools.");
