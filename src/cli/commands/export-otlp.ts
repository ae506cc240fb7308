import { Option } from "commander";
import { counted, exitCodes } from "#domain";
import type { OtlpOptions } from "#workbench";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

/** `hopscope export otlp RUN`: a run as traces, in a file or to a collector. */
export const addExportOtlp: AddCommand = (exporting, context, exit) =>
	withWorkspace(exporting.command("otlp"))
		.description("A run as OpenTelemetry traces: to a collector, Phoenix or Langfuse, or into a file")
		.argument("<run>", "name in the workspace, or its folder; @last is the latest")
		.option("-o, --out <file>", "write OTLP JSON, one request a line, as collectors read files")
		.option("-t, --to <address>", "send to this OTLP endpoint over HTTP (default: OTEL_EXPORTER_OTLP_ENDPOINT)")
		.option(
			"--header <name=value>",
			"a header of the requests, beside those of OTEL_EXPORTER_OTLP_HEADERS; may be given again",
			(header: string, before: string[] = []) => [...before, header],
		)
		.addOption(
			new Option("--protocol <name>", "how requests are written")
				.choices(["http/protobuf", "http/json"])
				.default("http/protobuf"),
		)
		.addOption(
			new Option("--retry-for <seconds>", "bear with a receiver that fails for so long")
				.argParser(wholeNumber(0, 3600))
				.default(60),
		)
		.addHelpText(
			"after",
			`
A trace is one answer: invoke_agent with question and answer, under it each reply of the model (chat) and each call (retrieval
with its documents, execute_tool). Names are those of the semantic conventions for generative AI and of OpenInference; scores
and the verdict of each hop are gen_ai.evaluation.result events of the whole. Ids follow from the run, so that what is sent
twice is there once.

Examples:
  $ hopscope export otlp @last -o run.jsonl
  $ hopscope export otlp @last --to http://127.0.0.1:4318
  $ hopscope export otlp RUN --to http://127.0.0.1:6006                      # Phoenix
  $ hopscope export otlp RUN --to https://cloud.langfuse.com/api/public/otel \\
      --header "Authorization=Basic $(printf %s "$PUBLIC_KEY:$SECRET_KEY" | base64 -w0)"`,
		)
		.action(
			async (
				run: string,
				{ retryFor, out, ...options }: Omit<OtlpOptions, "output"> & { out?: string } & CommonOptions,
			) => {
				const retry = retryFor === undefined ? undefined : retryFor * 1000;
				const made = await watch(context, options, (bench) =>
					bench.exportOtlp(run, { ...options, output: out, retryFor: retry }),
				);
				const { output } = context;
				if (made.rejected > 0) exit(exitCodes.someFailed);
				if (options.json) return output.write(JSON.stringify(made));
				const { answers, spans, requests, rejected, said, to } = made;
				if (rejected > 0 || said !== undefined)
					output.say(`${counted(rejected, "span")} not taken${said === undefined ? "" : `: ${said}`}`);
				output.write(
					`${made.run}: ${counted(answers, "trace")} of ${counted(spans, "span")} in ${counted(requests, "request")}\n${to}`,
				);
			},
		);
