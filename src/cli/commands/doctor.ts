import { exitCodes, plainLine } from "#domain";
import { type AddCommand, type CommonOptions, sayNext, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

export const addDoctor: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.addHelpText("after", "\nExample:\n  $ hopscope doctor --json")
		.action(async (options: CommonOptions) => {
			const { output } = context;
			const { platform, arch, versions } = process;
			const host = { node: versions.node, platform, arch };
			const examined = await watch(context, options, (bench) => bench.examine(host));
			const { ok, version, findings } = examined;
			exit(ok ? exitCodes.done : exitCodes.failed);
			if (options.json) return output.write(JSON.stringify(examined));
			output.write(`hopscope ${version}`);
			for (const finding of findings)
				output.write(`${finding.ok ? "ok  " : "FAIL"}  ${plainLine(`${finding.check}: ${finding.detail}`)}`);
			sayNext(context, "quickstart", options);
		});
