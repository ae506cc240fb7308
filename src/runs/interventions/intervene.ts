import { type Agent, type AgentContext, isSpec } from "#agents";
import type { Intervention, Task } from "#domain";
import { conflictingEvidence } from "./conflicting-evidence.ts";
import { distractors } from "./distractors.ts";
import { createNote, type Intervene } from "./given.ts";
import { oracleReading, oracleRetrieval } from "./gold-evidence.ts";
import { goldPrefix } from "./gold-prefix.ts";
import { oraclePlan, timesAsked } from "./oracle-plan.ts";
import { poisonedEvidence } from "./poisoned-evidence.ts";
import { without } from "./without.ts";

/** Every intervention that changes the world of an agent; one that only asks again changes nothing. */
const interventions = {
	again: () => undefined,
	"oracle-retrieval": () => oracleRetrieval,
	"oracle-reading": () => oracleReading,
	"oracle-plan": () => oraclePlan,
	"gold-prefix": (what) => (what.hops === 0 ? undefined : goldPrefix(what)),
	distractors,
	without,
	"conflicting-evidence": () => conflictingEvidence,
	"poisoned-evidence": () => poisonedEvidence,
} satisfies { [Is in Intervention["is"]]: (what: Extract<Intervention, { is: Is }>) => Intervene | undefined };

const interveneFor = (what: Intervention) =>
	(interventions[what.is] as (given: Intervention) => Intervene | undefined)(what);

/**
 * The same agent, by name, version and prompts, in a world with one part changed. Only its tools and its question are
 * wrapped. It asks the run for the gold task, which the agent inside is shown only where it needs it itself. Each
 * trajectory says in `intervened` what was done. `tasks` are the benchmark's; `seed` draws what has to be drawn.
 */
export function intervene(
	agent: Agent,
	intervention: Intervention,
	{ tasks, seed = 0 }: { tasks: readonly Task[]; seed?: number },
): Agent {
	const act = interveneFor(intervention);
	if (!act) return agent;
	return {
		...agent,
		needs: { ...agent.needs, gold: true },
		async answer(view, context) {
			context.signal.throwIfAborted();
			const { gold } = context;
			if (!gold) throw new Error("the intervention was not given the gold task");
			const note = createNote();
			const trajectory = await act({
				...{ view, context, gold, tasks, seed, note, asksModel: asksModel(agent, context) },
				ask: (asked, { tools = context.tools, gold: shown = gold } = {}) =>
					agent.answer(asked, contextFor(agent, { ...context, tools, gold: shown })),
			});
			return { ...trajectory, intervened: note.ended() };
		},
	};
}

/** How often an agent is asked under an intervention to answer one task: its most calls of a model multiply by it. */
export const timesAskedUnder = ({ is }: Intervention, task: Task): number =>
	is === "oracle-plan" ? timesAsked(task) : 1;

function contextFor({ needs }: Agent, { gold, ...context }: AgentContext): AgentContext {
	return needs.gold && gold ? { ...context, gold } : context;
}

/** A program that is an agent may have a model of its own; it is read as one that has. */
function asksModel({ name, needs }: Agent, { model, upstream }: AgentContext): boolean {
	if (needs.model === "none") return false;
	return model !== undefined || upstream !== undefined || isSpec(name);
}
