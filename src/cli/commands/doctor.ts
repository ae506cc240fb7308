import { exitCodes, plainLine } from "#domain";
import { type AddCommand, type CommonOptions, sayNext, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

export const addDoctor: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.option("-m, --model <model...>", "what the servers of these models declare, beside those that hopscope.json names")
		.addHelpText("after", help)
		.action(async (options: CommonOptions & { model?: string[] }) => {
			const { output } = context;
			const { platform, arch, versions } = process;
			const host = { node: versions.node, platform, arch };
			const examined = await watch(context, options, (bench) => bench.examine(host, { models: options.model }));
			const { ok, version, findings } = examined;
			exit(ok ? exitCodes.done : exitCodes.failed);
			if (options.json) return output.write(JSON.stringify(examined));
			output.write(`hopscope ${version}`);
			for (const finding of findings)
				output.write(`${finding.ok ? "ok  " : "FAIL"}  ${plainLine(`${finding.check}: ${finding.detail}`)}`);
			sayNext(context, "quickstart", options);
		});

const help = `
Examples:
  $ hopscope doctor --json
  $ hopscope doctor --model openai:NAME@http://127.0.0.1:8000/v1

No model is called: what its server does not declare, "hopscope models probe" finds out.`;
