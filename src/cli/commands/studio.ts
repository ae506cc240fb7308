import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { isLoopback, startStudio } from "#server";
import { type AddCommand, type CommonOptions, type Context, next, wholeNumber, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";

interface StudioOptions extends CommonOptions {
	port: number;
	host: string;
	token?: string;
	allowHost?: string[];
}

/** `hopscope studio`: the workspace in a browser; `hopscope view RUN` begins at a run. */
export const addStudio: AddCommand = (command, context) =>
	withWorkspace(command)
		.argument("[run]", "a run to begin with: its name in the workspace, the beginning of its id, or @last")
		.option("-p, --port <n>", "port; 0 takes any that is free", wholeNumber(0, 65_535), 8600)
		.option("--host <address>", "address to listen at; one that others reach needs a token", "127.0.0.1")
		.option(
			"--token <token>",
			"what a browser is asked for as password (default: HOPSCOPE_TOKEN; made where one is needed)",
		)
		.option("--allow-host <name...>", "further names that browsers call this server by")
		.addHelpText(
			"after",
			`
Shows every run of the workspace: which hop broke and why, step by step, with the evidence beside it. Runs that are still
being made move as they go. Nothing leaves this machine.

Examples:
  $ hopscope studio
  $ hopscope view @last
  $ hopscope studio --port 0 --json`,
		)
		.action((run: string | undefined, options: StudioOptions) => serve(run, options, context));

async function serve(run: string | undefined, options: StudioOptions, context: Context): Promise<void> {
	const { output, signal } = context;
	const studio = await watch(context, options, (bench) => bench.openStudio({ command: (text) => next(text, options) }));
	const begin = run === undefined ? "" : `#/runs/${encodeURIComponent(await studio.idOf(run))}`;
	const given = options.token ?? process.env.HOPSCOPE_TOKEN;
	const made = !given && !isLoopback(options.host) ? randomBytes(24).toString("base64url") : undefined;
	const { port, host, allowHost } = options;
	const server = await startStudio(studio, {
		...{ port, host, token: given || made },
		...(allowHost ? { names: allowHost } : {}),
		onProblem: (message) => output.say(message),
	});
	if (made) output.say(`token: ${made} (give it as the password, with any name)`);
	const url = `${server.url}/${begin}`;
	output.write(options.json ? JSON.stringify({ url, token: made }) : `the studio is open at ${url} (Ctrl+C ends it)`);
	if (!signal.aborted) await once(signal, "abort");
	await server.close();
}
