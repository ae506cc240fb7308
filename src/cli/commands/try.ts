import { counted, type GoldFreeReading, type PseudoHop, plainLine, usageError } from "#domain";
import type { Tried, TryOptions } from "#workbench";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import { withEncoders } from "../encoders.ts";
import { withModels } from "../models.ts";
import { withSetting } from "../run-options.ts";
import { watch } from "../watch.ts";

export const addTry: AddCommand = (command, context, exit) =>
	withEncoders(withModels(withSetting(withWorkspace(command))))
		.argument("<documents-and-question...>", "files or folders, and last the question")
		.option("-m, --model <model>", "openai:NAME, anthropic:NAME, google:NAME; NAME@http://… for a compatible server")
		.option(
			"-a, --agent <name>",
			"who answers (default: function-calling; without a model retrieve, which only searches)",
		)
		.option("-n, --knowledge <name>", "a knowledge base that is there, instead of documents")
		.option("--language <code>", "language of the question, as BCP 47 writes it (default: not said)")
		.option("--timeout <seconds>", "until it is given up (default: 600)", wholeNumber(1, 86_400))
		.addHelpText(
			"after",
			`
Reads the documents (those that changed, when asked again), lets an agent answer the question over them, and shows how it got
there, hop by hop: what it looked for, what came back, whether anything used it, and where each name and number of the answer
stood. Nobody knows the right chain here, so nothing is called wrong: what stands in no result may be right all the same.

Examples:
  $ hopscope try ./docs "Who founded the company that makes the X200?"
  $ hopscope try ./docs "Which port does the cache listen on?" --model openai:qwen3@http://127.0.0.1:11434/v1
  $ hopscope try "What is the capital of the country with the longest coast?" --knowledge atlas --agent extractive --json`,
		)
		.action(async (given: string[], options: TryOptions & CommonOptions) => {
			const { output } = context;
			const question = given.at(-1) ?? "";
			const documents = given.slice(0, -1);
			if (options.knowledge === undefined && documents.length === 0)
				throw usageError("no-question", "documents and a question are needed", 'hopscope try ./docs "QUESTION".');
			const tried = await watch(context, options, (bench) => bench.try(documents, question, options));
			if (options.json) output.write(JSON.stringify(tried));
			else output.write(shown(tried));
			if (tried.trajectory.stop === "error") exit(1);
		});

function shown({ trajectory, reading, evidence, knowledge, agent, model }: Tried): string {
	const { answer, abstained, error, usage, ms } = trajectory;
	const said = error
		? `no answer: ${plainLine(error.message)}`
		: trajectory.searchOnly
			? "none; it only searches"
			: abstained
				? "it declined to answer"
				: plainLine(answer ?? "none");
	const place = (id: string) => placeOf(id, evidence);
	const hopAt = (step: number) => reading.hops.findIndex(({ steps }) => steps.includes(step)) + 1;
	const hops = reading.hops.flatMap((hop, at) => hopLines(hop, { number: at + 1, place, evidence, hopAt }));
	const spent = [
		...(usage.calls > 0 ? [counted(usage.calls, "call"), `${usage.inputTokens + usage.outputTokens} tokens`] : []),
		`${(ms / 1000).toFixed(1)} s`,
	];
	return [
		...(hops.length === 0 ? ["It searched nothing."] : hops),
		`Answer: ${said}`,
		...answerLines(reading, { place, hopAt }),
		`(${[agent, ...(model ? [model] : []), knowledge, ...spent].map((part) => plainLine(part)).join(", ")})`,
	].join("\n");
}

interface Shown {
	number: number;
	place(id: string): string;
	evidence: Tried["evidence"];
	/** The hop, from 1, that a step belongs to. */
	hopAt(step: number): number;
}

function hopLines(
	{ queries, subQuestion, results, relevance, use, brings, errors }: PseudoHop,
	{ number, place, evidence, hopAt }: Shown,
): string[] {
	const lines = [
		`${number}. ${subQuestion === undefined ? "" : `${plainLine(subQuestion)} – `}${queries.map((query) => `"${plainLine(query)}"`).join(", ")}`,
	];
	if (errors.length > 0) lines.push(`   ${counted(errors.length, "call")} ended in an error`);
	if (relevance.is === "measured") {
		const { best, value, missing } = relevance;
		lines.push(`   ${place(best)}: ${plainLine(evidence[best]?.text ?? "")}`);
		const lacks = missing.length > 0 ? `, nothing of ${missing.slice(0, 5).join(", ")}` : "";
		lines.push(`   ${counted(results, "result")}; this one holds ${Math.round(100 * value)} % of the query${lacks}`);
	} else lines.push(`   ${counted(results, "result")}; how well they fit is not seen: ${plainLine(relevance.reason)}`);
	if (use.is === "used") {
		const later = use.step === undefined ? 0 : hopAt(use.step);
		lines.push(
			`   used ${later === 0 ? "in the answer" : later === number ? "at once" : `in ${later}.`}: ${plainLine(use.by)}`,
		);
	} else if (use.is === "unused") lines.push("   nothing written later takes anything of it up");
	for (const { text, first } of brings.entities)
		if (first.is === "unsupported") lines.push(`   brings up "${plainLine(text)}", which stands in no earlier result`);
	return lines;
}

/** Where the names and numbers of the answer stood first. */
function answerLines({ answer }: GoldFreeReading, { place, hopAt }: Pick<Shown, "place" | "hopAt">): string[] {
	return (answer?.entities ?? []).map(({ text, first }) => {
		const stood =
			first.is === "unsupported"
				? "stands in no result"
				: first.is === "unobserved"
					? `is not seen: ${plainLine(first.reason)}`
					: `came back in ${hopAt(first.step)}.${first.id === undefined ? "" : `, ${place(first.id)}`}`;
		return `   "${plainLine(text)}" ${stood}`;
	});
}

/** Title, document and page, from 1 as readers count. */
function placeOf(id: string, evidence: Tried["evidence"]): string {
	const found = evidence[id];
	if (!found) return plainLine(id);
	const page = found.page === undefined ? "" : `, page ${found.page + 1}`;
	return `${plainLine(found.title)} [${plainLine(found.document)}${page}]`;
}
