import { type Command, InvalidArgumentError } from "commander";

/** The options of commands that ask models. */
export function withModels(command: Command): Command {
	return command
		.option("--no-cache", "ask anew, and cache no responses")
		.option("--replay", "with the network off: a model answers from cached responses only")
		.option(
			"--retry-for <time>",
			"how long a failing model is asked again before its task fails (default: 3m)",
			duration,
		);
}

/** Milliseconds. */
export function duration(text: string): number {
	const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)\s*([smh])?$/.exec(text.trim()) ?? [];
	const seconds = Number(amount) * ({ s: 1, m: 60, h: 3600 }[unit] ?? Number.NaN);
	if (seconds > 0) return seconds * 1000;
	throw new InvalidArgumentError("Give a time like 90s, 30m or 2h.");
}
