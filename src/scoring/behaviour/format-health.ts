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

/** What the format health needs of one attempt. */
export interface HealthFacts extends Pick<Trajectory, "stop" | "abstained"> {
	/** Whether an answer was given, be it empty. */
	answered: boolean;
	searchOnly: boolean;
	/** Where an error came from; null where none ended it. */
	boundary: string | null;
	/** As in the format health. */
	actions: number;
	read: number;
	invalidCalls: number;
}

export function healthFacts(trajectory: Trajectory): HealthFacts {
	const { stop, abstained, answer, searchOnly = false, error } = trajectory;
	const { actions, read, unread } = actionsIn(trajectory);
	return {
		...{ stop, abstained, searchOnly, actions, read },
		answered: answer !== null,
		boundary: error?.boundary ?? null,
		invalidCalls: unread.filter(({ call }) => call).length,
	};
}

/** The format health of the attempts of a run. */
export const formatHealth = (trajectories: readonly Trajectory[]): FormatHealth =>
	healthOf(trajectories.map(healthFacts));

/** The format health of attempts. An agent that only searches is asked for no answer. */
export function healthOf(attempts: readonly HealthFacts[]): FormatHealth {
	const health = { ...nothing };
	for (const { stop, abstained, answered, searchOnly, boundary, actions, read, invalidCalls } of attempts) {
		health.records += 1;
		health.actions += actions;
		health.read += read;
		health.invalidCalls += invalidCalls;
		const ended = stop === "error" || stop === "budget";
		if (!answered && !abstained && !searchOnly && !ended) health.nullAnswers += 1;
		if (stop === "turn-limit" || stop === "no-call-limit") health.limits += 1;
		if (stop === "context-limit") health.contextLimits += 1;
		if (stop === "error" && boundary === "model") health.providerErrors += 1;
		if (stop === "error" && boundary === "tool") health.toolErrors += 1;
	}
	return { ...health, parseRate: health.actions === 0 ? null : health.read / health.actions };
}

const nothing: FormatHealth = {
	...{ records: 0, actions: 0, read: 0, parseRate: null, invalidCalls: 0 },
	...{ nullAnswers: 0, limits: 0, contextLimits: 0, providerErrors: 0, toolErrors: 0 },
};

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
