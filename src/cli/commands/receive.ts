import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { counted } from "#domain";
import { isLoopback, startReceiver } from "#server";
import type { ImportedTranscripts } from "#workbench";
import { type AddCommand, type CommonOptions, numberFrom, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

interface ReceiveOptions extends CommonOptions {
	name: string;
	port: number;
	host: string;
	token?: string;
	allowHost?: string[];
	quiet: number;
}

export const addReceive: AddCommand = (command, context) =>
	withWorkspace(command)
		.option("--name <name>", "of the run, its benchmark and its knowledge base", "traces")
		.option("-p, --port <n>", "port; 0 takes any that is free", wholeNumber(0, 65_535), 4318)
		.option("--host <address>", "address to listen at; one that others reach needs a token", "127.0.0.1")
		.option("--token <token>", "what exporters must send (default: HOPSCOPE_TOKEN; made where one is needed)")
		.option("--allow-host <name...>", "further names that exporters call this server by")
		.option("--quiet <seconds>", "bring the run up to date when nothing came for so long", numberFrom(0.1, 86_400), 10)
		.addHelpText(
			"after",
			`
Takes spans by OTLP over HTTP (/v1/traces, protobuf or JSON, gzip or not) with the attributes of OpenTelemetry's GenAI
conventions, OpenInference, Langfuse's clients or the Vercel AI SDK. What comes is on disk, in traces/NAME.jsonl of the
workspace, before it is answered. One trace becomes one answer of the run NAME; spans that are no step are kept beside it.
Received again under the same name, new traces join those that were there. docs/guides/traces.md.

Examples:
  $ hopscope receive --name my-agent
  $ OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 python my_agent.py
  $ hopscope receive --port 0 --quiet 2 --json
  $ hopscope diagnose my-agent`,
		)
		.action(async (options: ReceiveOptions) => {
			const { output, signal } = context;
			const { name, quiet, port, host, allowHost, json } = options;
			const given = options.token ?? process.env.HOPSCOPE_TOKEN;
			const made = !given && !isLoopback(host) ? randomBytes(24).toString("base64url") : undefined;
			const receiver = await watch(context, options, (bench) =>
				bench.openReceiver({
					name,
					quiet: quiet * 1000,
					onEvent(event) {
						if (event.event === "problem") output.say(event.message);
						else if (json) output.write(JSON.stringify(event));
						else if (event.event === "run") output.write(runWords(event.made));
						else {
							const { spans, traces, all } = event;
							output.say(
								`${counted(spans, "span")} of ${counted(traces, "trace")}; ${counted(all.spans, "span")} of ${counted(all.traces, "trace")} so far`,
							);
						}
					},
				}),
			);
			const server = await startReceiver(receiver, {
				...{ port, host, token: given || made },
				...(allowHost ? { names: allowHost } : {}),
				onProblem: (message) => output.say(message),
			}).catch(async (error: unknown) => {
				await receiver.close();
				throw error;
			});
			if (made) output.say(`token: ${made}`);
			if (json) output.write(JSON.stringify({ url: server.url, file: receiver.file, token: made }));
			else output.write(`receiving traces on ${server.url}/v1/traces into ${receiver.file} (Ctrl+C ends it)`);
			if (!signal.aborted) await once(signal, "abort");
			await server.close();
			await receiver.close();
			sayNext({ output }, `diagnose ${name}`, options);
		});

function runWords({ run, tasks, passages, problems, spans }: ImportedTranscripts): string {
	const { all = 0, understood = 0, kept = 0 } = spans ?? {};
	return `run ${run}: ${counted(tasks, "trace")}, ${counted(passages, "passage")}; of ${counted(all, "span")} ${understood} understood, ${kept} kept beside the steps; ${counted(problems.length, "problem")}`;
}
