import type { Step, StopReason, ToolCall, Trajectory } from "#domain";

/** Whether a run's replies could be read and its attempts could end, before anything is said of its answers. */
export interface FormatHealth {
	/** Attempts recorded. */
	records: number;
	/** Actions asked for: calls, and, where silence ended an attempt, the replies without one. `read`: carried out as written. */
	actions: number;
	read: number;
	/** `read` over `actions`; null where no action was asked for. */
	parseRate: number | null;
	/** Calls that could not be carried out as written. */
	invalidCalls: number;
	/** Attempts that ended neither with an answer nor by declining, errors and the run's budget left out. */
	nullAnswers: number;
	/** Of them, those that a protocol's own limit ended (`turn-limit`, `no-call-limit`). */
	limits: number;
	/** Of them, those whose conversation outgrew the model's context. */
	contextLimits: number;
	/** Attempts that a provider's error ended, and those that a tool's did. */
	providerErrors: number;
	toolErrors: number;
}

/** Below this share of actions that can be read, of at least so many, the form was missed, and the scores tell of little else. */
const leastReadable = 0.5;
const leastActions = 3;

/** Whether too few actions, of a run or of one attempt, could be read to say much of the agent. */
export const isIllFormed = ({ actions, read }: Pick<FormatHealth, "actions" | "read">): boolean =>
	actions >= leastActions && read < leastReadable * actions;

/** The format health of the attempts of a run. An agent that only searches is asked for no answer. */
export function formatHealth(trajectories: readonly Trajectory[]): FormatHealth {
	const count = (is: (one: Trajectory) => boolean) => trajectories.filter(is).length;
	const counts = trajectories.map(actionsIn);
	const actions = counts.reduce((sum, one) => sum + one.actions, 0);
	const read = counts.reduce((sum, one) => sum + one.read, 0);
	const failedBy = (boundary: string) => count(({ stop, error }) => stop === "error" && error?.boundary === boundary);
	return {
		...{ records: trajectories.length, actions, read },
		parseRate: actions === 0 ? null : read / actions,
		invalidCalls: counts.reduce((sum, { unread }) => sum + unread.filter(({ call }) => call).length, 0),
		nullAnswers: count(
			({ answer, abstained, searchOnly, stop }) =>
				answer === null && !abstained && !searchOnly && stop !== "error" && stop !== "budget",
		),
		limits: count(({ stop }) => stop === "turn-limit" || stop === "no-call-limit"),
		contextLimits: count(({ stop }) => stop === "context-limit"),
		...{ providerErrors: failedBy("model"), toolErrors: failedBy("tool") },
	};
}

/** What of a step says whether it was an action, and could be read. */
interface TakenStep extends Pick<Step, "role"> {
	call?: Pick<ToolCall, "valid" | "joined"> | undefined;
	results: readonly unknown[];
}

/**
 * The actions that an attempt asked for, and the steps of those that could not be read. An opening step is nobody's action,
 * a call over several images is one.
 */
export function actionsIn<Taken extends TakenStep>({
	steps,
	stop,
}: {
	steps: readonly Taken[];
	stop: StopReason;
}): { actions: number; read: number; unread: Taken[] } {
	const own = steps.filter(({ role }) => role !== "opening");
	const calls = own.filter(({ call }) => call !== undefined && !call.joined);
	const silent = stop === "no-call-limit" ? own.filter(({ call, results }) => !call && results.length === 0) : [];
	const unread = [...calls.filter(({ call }) => call?.valid === false), ...silent];
	const actions = calls.length + silent.length;
	return { actions, read: actions - unread.length, unread };
}
