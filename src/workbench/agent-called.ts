import { type Agent, agents, isSpec, outsideAgent } from "#agents";
import { didYouMean, usageError } from "#domain";

/**
 * The agent of that name, or the program that is one: `http://…`, `exec:COMMAND`, `observe:COMMAND`. `timeout` is what a
 * run gives a task, in milliseconds: a program is given up a little earlier, so that what it did is kept.
 */
export function agentCalled(name: string | undefined, { timeout = 600_000 }: { timeout?: number } = {}): Agent {
	if (name !== undefined && isSpec(name))
		return outsideAgent(name, { timeout: timeout - Math.min(10_000, timeout / 20) });
	const agent = name !== undefined && Object.hasOwn(agents, name) ? agents[name as keyof typeof agents] : undefined;
	if (agent) return agent;
	throw usageError(
		"unknown-agent",
		name ? `no agent is called "${name}"` : "no agent is named",
		`${didYouMean(name ?? "", Object.keys(agents))}Give one of: ${Object.keys(agents).join(", ")}; or a program: http://…, exec:COMMAND, observe:COMMAND.`,
	);
}

/**
 * The agent of a resumed run is the recorded one. A command that stands in the run's folder only is not executed:
 * the folder may be somebody else's.
 */
export function checkedAgent(recorded: string, said: string | undefined): string {
	const refuse = (message: string, remedy: string) => usageError("other-agent", message, remedy);
	const shown = JSON.stringify(recorded);
	if (said !== undefined && said !== recorded)
		throw refuse(`the run was begun with the agent ${shown}`, "Leave out --agent.");
	if (said === undefined && /^(?:exec|observe):/i.test(recorded))
		throw refuse(`the agent of this run is the command ${shown}`, `If it may be executed, say so: --agent ${shown}.`);
	return recorded;
}
