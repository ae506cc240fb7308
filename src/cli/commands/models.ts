import type { Command } from "commander";
import { type Ability, abilities, plainLine } from "#domain";
import type { Probed, ProbeOptions } from "#workbench";
import { type AddCommand, type CommonOptions, type Context, sayNext, shellWord, withWorkspace } from "../context.ts";
import { textTable } from "../text-table.ts";
import { watch } from "../watch.ts";

/** `hopscope models`: the servers of models. */
export const addModels: AddCommand = (command, context) => {
	addProbe(command, context);
	return command;
};

function addProbe(models: Command, context: Context): void {
	withWorkspace(models.command("probe"))
		.description("Find out what the server of a model does, and keep it for the plans of runs")
		.argument("<model>", "openai:NAME@http://… for any compatible server; openai:NAME, anthropic:NAME, google:NAME")
		.option("--declared", "only what the server declares, at addresses that cost nothing: the model is not called")
		.addHelpText("after", help)
		.action(async (name: string, options: ProbeOptions & CommonOptions) => {
			const probed = await watch(context, options, (bench) => bench.probeModel(name, options));
			const { output } = context;
			if (options.json) return output.write(JSON.stringify(probed));
			output.write(table(probed, output.columns));
			sayNext(context, `run -b BENCHMARK -a AGENT -m ${shellWord(name)} --dry-run`, options);
		});
}

function table({ endpoint, usage, currency }: Probed, width: number | undefined): string {
	const { model, server, context, can, lists = [], cuts } = endpoint;
	const rows = [
		["server", server ? [server.name, server.version ?? ""].join(" ").trim() : "unknown", ""],
		["context", context ? `${context.tokens} tokens` : "unknown", context?.how ?? "not declared"],
		...(Object.keys(abilities) as Ability[]).map((ability) => {
			const { is, from, how } = can[ability];
			return [abilities[ability], is, from ? `${from}: ${how}` : how];
		}),
	];
	const cost = usage?.cost === undefined ? "" : `, ${usage.cost.toFixed(4)} ${currency}`;
	return [
		plainLine(model),
		...textTable(
			rows.map((row) => row.map((cell) => plainLine(cell))),
			{ left: [0, 1, 2], width },
		),
		...(cuts ? ["A conversation that outgrows the context loses its beginning, and the server does not say so."] : []),
		...(lists.length > 0
			? [plainLine(`The server does not list this model, but ${lists.slice(0, 5).join(", ")}.`)]
			: []),
		...(usage ? [`${usage.calls} test calls, ${usage.inputTokens} tokens in, ${usage.outputTokens} out${cost}`] : []),
	].join("\n");
}

const help = `
First the server is asked what it declares (/v1/models, /props, /api/show and others, which cost nothing), then the model is
called a few times for the rest: 10 calls and some thousand tokens at most, announced with what they cost by the prices in
hopscope.json. What neither shows is "unknown". Keys are read from the environment, as for hopscope run.

Examples:
  $ hopscope models probe openai:qwen2.5-vl@http://127.0.0.1:8000/v1
  $ hopscope models probe openai:NAME@http://127.0.0.1:11434/v1 --declared --json`;
