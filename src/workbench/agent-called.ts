import { type Agent, agents, externalAgent, isSpec } from "#agents";
import { ownField, unknownName, usageError } from "#domain";

/**
 * The agent of that name, or the program that is one: `http://…`, `exec:COMMAND`, `observe:COMMAND`. `timeout` is what a
 * run gives a task, in milliseconds: a program is given up a little earlier, so that what it did is kept.
 */
export function agentCalled(name: string | undefined, { timeout = 600_000 }: { timeout?: number } = {}): Agent {
	if (name !== undefined && isSpec(name))
		return externalAgent(name, { timeout: timeout - Math.min(10_000, timeout / 20) });
	const agent = ownField<Agent>(agents, name ?? "");
	if (agent) return agent;
	throw unknownName("unknown-agent", name ? `no agent is called "${name}"` : "no agent is named", {
		name: name ?? "",
		names: Object.keys(agents),
		end: "; or a program: http://…, exec:COMMAND, observe:COMMAND",
	});
}

/** The agent by its name, or a program's own as it is: under a name of its own, so that no record is mistaken. */
export function agentGiven(given: string | Agent | undefined, options: { timeout?: number } = {}): Agent {
	if (typeof given !== "object") return agentCalled(given, options);
	const { name } = given;
	if (Object.values<Agent>(agents).includes(given) || !Object.hasOwn(agents, name)) return given;
	throw usageError("agent-name-taken", `"${name}" is the name of another agent`, "Give yours another name.");
}

/**
 * The agent of a run that is resumed or made again is the recorded one; a program's own is in no list and has to be given
 * again.
 */
export function recordedAgent(
	recorded: string,
	given: string | Agent | undefined,
	options: { timeout?: number } = {},
): Agent {
	const name = checkedName(recorded, typeof given === "object" ? given.name : given);
	if (typeof given === "object" || isSpec(name) || Object.hasOwn(agents, name))
		return agentGiven(given ?? name, options);
	throw usageError(
		"agent-not-given",
		`the agent of this run, "${name}", is a program's own: its name alone does not open it`,
		"Go through that program, and give the agent again: run({ resume, agent }).",
	);
}

/** A command that stands in the run's folder only is not executed: the folder may be somebody else's. */
function checkedName(recorded: string, said: string | undefined): string {
	const refuse = (message: string, remedy: string) => usageError("other-agent", message, remedy);
	const shown = JSON.stringify(recorded);
	if (said !== undefined && said !== recorded)
		throw refuse(`the run was begun with the agent ${shown}`, "Leave out --agent.");
	if (said === undefined && /^(?:exec|observe):/i.test(recorded))
		throw refuse(`the agent of this run is the command ${shown}`, `If it may be executed, say so: --agent ${shown}.`);
	return recorded;
}
