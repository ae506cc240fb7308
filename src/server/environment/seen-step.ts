import type { SessionStep } from "#training";

/**
 * A step as whoever asks may see it. The reward is the trainer's: told to a policy, it would say after every try whether an
 * answer was right, and how many hops a task has.
 */
export const seenBy = <Step extends SessionStep>(step: Step, { trusted }: { trusted: boolean }): Step =>
	trusted ? step : { ...step, reward: null };
