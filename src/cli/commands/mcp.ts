import { createInterface } from "node:readline";
import { z } from "zod";
import { answerMcp, type McpTools } from "#agents";
import { HopscopeError, ownField, usageError } from "#domain";
import { caseText, compareViews, renderMarkdown, terminalDiagnosis } from "#reports";
import type { Work, Workbench } from "#workbench";
import { type AddCommand, type CommonOptions, type Context, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

export const addMcp: AddCommand = (command, context) =>
	withWorkspace(command)
		.addHelpText(
			"after",
			`
Speaks the Model Context Protocol on standard input and output, for assistants that start it themselves: they can list the
runs of this workspace, ask which hops break in one and why, look at an attempt hop by hop, compare two runs, and search
knowledge bases. Nothing is run, written or paid for but what a diagnosis keeps beside its run.

Most assistants are told of it like this:
  { "mcpServers": { "hopscope": { "command": "npx", "args": ["hopscope", "mcp", "--workspace", "/path/to/.hopscope"] } } }`,
		)
		.action(async (options: CommonOptions) => {
			const { output, signal } = context;
			const tools = toolsOver(context, options);
			const lines = createInterface({ input: process.stdin });
			signal.addEventListener("abort", () => lines.close(), { once: true });
			const answering = new Set<Promise<void>>();
			for await (const line of lines) {
				if (line.trim() === "") continue;
				const answered = answerMcp(messageIn(line), tools)
					.then((answer) => answer && output.write(JSON.stringify(answer)))
					.catch((error: Error) => output.say(`a call broke: ${error.message}`))
					.finally(() => answering.delete(answered)) as Promise<void>;
				answering.add(answered);
			}
			await Promise.all(answering);
		});

/** Longer answers than assistants read are cut, and say so. */
const longestAnswer = 40_000;
/** What no assistant sends. */
const longestLine = 1_000_000;

function messageIn(line: string): unknown {
	if (line.length > longestLine) return undefined;
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

/** Lets the workbench do something in this workspace. */
type Ask = <Result>(verb: (bench: Workbench) => Work<Result>) => Promise<Result>;

interface Tool {
	description: string;
	input: z.ZodObject;
	/** The answer as an assistant reads it; arguments that do not fit are refused (exit 2). */
	answer(ask: Ask, given: unknown): Promise<string>;
}

const run = z.string().max(300).describe("a run by its name; @last is the newest");
const most = z.number().int().min(1).max(200);

function tool<Input extends z.ZodObject>(
	description: string,
	input: Input,
	answer: (ask: Ask, given: z.output<Input>) => Promise<string>,
): Tool {
	return {
		description,
		input,
		answer(ask, given) {
			const parsed = input.safeParse(given ?? {});
			if (!parsed.success) throw usageError("bad-arguments", z.prettifyError(parsed.error), "Call it again.");
			return answer(ask, parsed.data);
		},
	};
}

const known: Record<string, Tool> = {
	list_runs: tool(
		"The runs of the workspace, the newest first: agent, model, benchmark, how much is done.",
		z.strictObject({ benchmark: z.string().max(300).optional(), count: most.default(30) }),
		async (ask, { benchmark, count }) => {
			const { runs } = await ask((bench) => bench.runs({ benchmark }));
			return json({ runs: runs.slice(0, count), of: runs.length });
		},
	),
	diagnose_run: tool(
		"Which hops of a run's chains break, how often and why, with 95 % intervals; what cannot be seen is called unobserved.",
		z.strictObject({ run }),
		async (ask, given) => terminalDiagnosis(await ask((bench) => bench.diagnose(given.run, {}))),
	),
	list_failures: tool(
		"The attempts of a run that were not right, those that got least far first: question, answer, the first hop that broke and what was found.",
		z.strictObject({
			run,
			verdict: z
				.string()
				.max(100)
				.describe("only where the first broken hop has this verdict, e.g. retrieval-miss")
				.optional(),
			count: most.default(10),
		}),
		async (ask, { run: name, verdict, count }) =>
			json(await ask((bench) => bench.failedTasks(name, { most: count, verdict }))),
	),
	show_task: tool(
		"One attempt of a run hop by hop: each gold hop with its verdict, each step with its query and what came back.",
		z.strictObject({ run, task: z.string().max(300), repeat: z.number().int().min(0).max(10_000).default(0) }),
		async (ask, { run: name, ...which }) => caseText((await ask((bench) => bench.diagnoseTask(name, which))).case),
	),
	compare_runs: tool(
		"Two runs of one benchmark, task by task: differences with intervals and tests, and the tasks that flipped.",
		z.strictObject({ a: run, b: run, flips: z.number().int().min(0).max(200).default(10) }),
		async (ask, { a, b, flips }) =>
			compareViews(await ask((bench) => bench.compare([a, b], {})), { flips })
				.map(renderMarkdown)
				.join("\n"),
	),
	search: tool(
		"What a search of a knowledge base finds: ids, titles and snippets, as an agent would be shown.",
		z.strictObject({
			query: z.string().min(1).max(2000),
			knowledge: z.string().max(300).describe("its name; the only one where nothing is said").optional(),
			count: z.number().int().min(1).max(50).default(5),
		}),
		async (ask, { query, knowledge, count }) =>
			json(await ask((bench) => bench.search(query, { knowledge, k: count }))),
	),
};

const json = (value: object) => JSON.stringify(value, null, "\t");

function toolsOver(context: Context, options: CommonOptions): McpTools {
	return {
		list: () =>
			Object.entries(known).map(([name, { description, input }]) => ({
				...{ name, description, inputSchema: z.toJSONSchema(input, { io: "input" }) },
				annotations: { readOnlyHint: true },
			})),
		async call({ name, arguments: given }) {
			const found = ownField<Tool>(known, name);
			if (!found) return wrong(`there is no tool ${name}`);
			try {
				const text = await found.answer((verb) => watch(context, options, verb), given);
				return { content: [{ type: "text", text: cut(text) }] };
			} catch (error) {
				if (!(error instanceof HopscopeError)) throw error;
				return wrong(`${error.message}. ${error.remedy}`);
			}
		},
	};
}

const wrong = (text: string) => ({ content: [{ type: "text" as const, text }], isError: true as const });

const cut = (text: string): string =>
	text.length <= longestAnswer
		? text
		: `${text.slice(0, longestAnswer)}\n… ${text.length - longestAnswer} more characters; ask for less`;
