import { type Command, InvalidArgumentError, Option } from "commander";
import { BoxConvention, parseJson, type ScoringMode, Setting, scoringModes } from "#domain";
import type { BoundOptions, JobQueueOptions, ModelOptions, SettingOptions } from "#workbench";
import { numberFrom, wholeNumber } from "./context.ts";
import { duration, withModels } from "./models.ts";
import type { ShowOptions } from "./show.ts";
import { withTaskChoice } from "./task-choice.ts";

export interface RunOptions extends ShowOptions, SettingOptions, BoundOptions, ModelOptions, JobQueueOptions {
	benchmark?: string;
	agent?: string;
	model?: string;
	knowledge?: string;
	resume?: string;
	name?: string;
	tasks?: number;
	repeats: number;
	seed: number;
	scoring?: ScoringMode;
	scorer?: string[];
	split?: string[];
	taskList?: string;
	dryRun?: boolean;
}

/** The options of `hopscope run`, by what they are about; agents are told by the caller, so that this loads none. */
export function withRunOptions(command: Command, agents: readonly string[]): Command {
	command
		.option("-b, --benchmark <name>", "benchmark: a name in the workspace or a folder")
		.option("-a, --agent <name>", `one of: ${agents.join(", ")}; or a program: http://…, exec:COMMAND, observe:COMMAND`)
		.option("-m, --model <model>", "openai:NAME, anthropic:NAME, google:NAME; NAME@http://… for a compatible server")
		.option("-n, --knowledge <name>", "knowledge base, or http://… of a search engine (default: the benchmark's own)");
	withTaskChoice(withSetting(command))
		.option("--tasks <n>", "only so many of them, evenly spread", wholeNumber(1, 1e7))
		.option("--repeats <n>", "runs of each task", wholeNumber(1, 1000), 1)
		.option(
			"--seed <n>",
			"another seed asks for other samples; handed to models that take one",
			wholeNumber(0, 2 ** 31),
			0,
		);
	return withWorkers(withModels(withBounds(withScorers(withScoring(command)))))
		.option("--dry-run", "say what would run, and whether it makes sense, and run nothing")
		.option("--name <name>", "what the run is called (default: by benchmark, agent and time)")
		.option("--resume <run>", "resume an interrupted run; all that its numbers depend on is taken from it");
}

/** Where the queue is, of the commands on both of its ends. */
export const withQueue = (command: Command): Command =>
	command
		.option(
			"--queue <address>",
			"let workers do it over a NATS server with JetStream: nats://HOST:PORT, tls://HOST:PORT",
		)
		.option("--queue-credentials <file>", "NATS credentials of that server");

/** The options of `JobQueueOptions`. */
export const withWorkers = (command: Command): Command =>
	withQueue(command).option(
		"--queue-lease <seconds>",
		"until the jobs of a worker that says nothing go to others (default: 30)",
		wholeNumber(1, 86_400),
	);

/** Options as they were said: over workers, the default of one process bounds nothing. */
export function overWorkers<Options extends JobQueueOptions & { concurrency?: number | undefined }>(
	options: Options,
	command: Command,
): Options {
	if (options.queue === undefined || command.getOptionValueSource("concurrency") === "cli") return options;
	return { ...options, concurrency: undefined };
}

/** How answers are scored, of every command that scores them; without it as the run says, or its benchmark. */
export const withScoring = (command: Command, otherwise = "as the benchmark says"): Command =>
	command.addOption(
		new Option("--scoring <mode>", `how answers are scored (default: ${otherwise})`).choices([...scoringModes]),
	);

/** The option of every command that shows scores: a user's own stand beside the registered ones. */
export const withScorers = (command: Command): Command =>
	command.option(
		"--scorer <files...>",
		"scorers of your own: .mjs or .js files whose default export is one, or several",
	);

/** The options of `SettingOptions`; `protocol` alone where the model is somebody else's, and `-k` the command's own. */
export function withSetting(command: Command, { only }: { only?: "protocol" } = {}): Command {
	command.option("-s, --setting <name>", "a preset of the agent (docs/agents.md); the others of this group change it");
	if (!only) command.option("-k, --k <n>", "results that a search shows", wholeNumber(1, 100));
	if (!only)
		command.addOption(
			new Option("--retrieval <mode>", "how texts are searched (default: as the knowledge base does)").choices(
				choices("retrieval"),
			),
		);
	command
		.option("--limit <n>", "searches, or turns, the agent may take", wholeNumber(1, 1000))
		.addOption(new Option("--images <how>", "question images as pictures, or as captions").choices(choices("images")))
		.addOption(new Option("--boxes <convention>", "how the model writes boxes").choices(BoxConvention.options))
		.addOption(new Option("--form <form>", "observations in turns, or the reply continued").choices(choices("form")))
		.addOption(
			new Option("--fidelity <kind>", "paper: as the published code where it differs").choices(choices("fidelity")),
		)
		.option("--last-answer", "when the limit is reached, one more reply that may only answer")
		.option("--no-last-answer", "no such reply");
	if (only) return command;
	return command
		.option("--temperature <t>", "sampling temperature of the model", numberFrom(0, 10))
		.option("--top-p <p>", "share of probability that is sampled from", numberFrom(0, 1))
		.option(
			"--request <json>",
			'further fields of every request, as the server takes them: {"chat_template_kwargs": …}',
			requestFields,
		)
		.addOption(
			new Option(
				"--constrain <how>",
				"hold replies to a grammar of the protocol: auto where the server takes one (llama.cpp, vLLM, SGLang), on, off (default: off)",
			).choices(["auto", "on", "off"]),
		)
		.option("--max-answer-tokens <n>", "tokens of one reply", wholeNumber(1, 1e7));
}

function requestFields(text: string): Record<string, unknown> {
	const value = parseJson(text);
	if (value === null || typeof value !== "object" || Array.isArray(value))
		throw new InvalidArgumentError("Give a JSON object.");
	const reserved = ["model", "messages", "stream", "n"].find((name) => Object.hasOwn(value, name));
	if (reserved !== undefined) throw new InvalidArgumentError(`"${reserved}" is not for you to say.`);
	return value as Record<string, unknown>;
}

const choices = (name: "images" | "form" | "fidelity" | "retrieval"): readonly string[] =>
	Setting.shape[name].unwrap().options;

/** The options of `BoundOptions`. */
export function withBounds(command: Command): Command {
	return command
		.option("--concurrency <n>", "tasks at the same time", wholeNumber(1, 1024), 8)
		.option("--max-calls <n>", "begin no task after so many model calls of the whole run", wholeNumber(1, 1e9))
		.option("--max-tokens <n>", "begin no task after so many tokens of the whole run", wholeNumber(1, 1e12))
		.option("--max-cost <money>", "begin no task after so much money of the whole run", numberFrom(0, 1e9))
		.option("--max-time <time>", "begin no task after so long in this session: 90s, 30m, 2h", duration)
		.option("--timeout <seconds>", "until one task is given up and recorded as an error", wholeNumber(1, 86_400), 600);
}
