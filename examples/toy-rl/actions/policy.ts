/** A small policy: features, one hidden layer of tanh, and two choices by softmax, the action and its form. */
import { actions, forms } from "./moves.ts";
import { featureNames } from "./place.ts";

export const choices = actions.length + forms.length;
const inputs = featureNames.length;

export interface PolicyShape {
	hidden: number;
}

export interface Policy {
	readonly hidden: number;
	/** hidden × inputs, then choices × hidden, then choices biases. */
	readonly parameters: Float64Array;
}

export const parameterCount = (hidden: number) => hidden * inputs + choices * hidden + choices;

/** Weights uniform within one over the root of what they sum over; those to the choices ten times smaller: near even. */
export function drawPolicy(random: () => number, { hidden = 24 }: Partial<PolicyShape> = {}): Policy {
	const parameters = new Float64Array(parameterCount(hidden));
	const first = hidden * inputs;
	const second = choices * hidden;
	for (let at = 0; at < first; at += 1) parameters[at] = (2 * random() - 1) / Math.sqrt(inputs);
	for (let at = 0; at < second; at += 1) parameters[first + at] = (0.1 * (2 * random() - 1)) / Math.sqrt(hidden);
	return { hidden, parameters };
}

/** What one pass over the features gives. Overwritten by the next pass. */
export interface Pass {
	hidden: Float64Array;
	/** Log-probabilities of the actions, then of the forms. */
	logs: Float64Array;
}

export const createPass = ({ hidden }: Pick<Policy, "hidden">): Pass => ({
	hidden: new Float64Array(hidden),
	logs: new Float64Array(choices),
});

export function forward({ hidden: width, parameters }: Policy, features: Float64Array, { hidden, logs }: Pass): void {
	const first = width * inputs;
	const biases = first + choices * width;
	for (let unit = 0; unit < width; unit += 1) {
		let sum = 0;
		for (let at = 0; at < inputs; at += 1) sum += (parameters[unit * inputs + at] as number) * (features[at] as number);
		hidden[unit] = Math.tanh(sum);
	}
	for (let choice = 0; choice < choices; choice += 1) {
		let sum = parameters[biases + choice] as number;
		for (let unit = 0; unit < width; unit += 1)
			sum += (parameters[first + choice * width + unit] as number) * (hidden[unit] as number);
		logs[choice] = sum;
	}
	normalise(logs, 0, actions.length);
	normalise(logs, actions.length, choices);
}

/** Scores into log-probabilities, from `start` to `end`. */
function normalise(logs: Float64Array, start: number, end: number): void {
	let most = Number.NEGATIVE_INFINITY;
	for (let at = start; at < end; at += 1) most = Math.max(most, logs[at] as number);
	let sum = 0;
	for (let at = start; at < end; at += 1) sum += Math.exp((logs[at] as number) - most);
	const log = most + Math.log(sum);
	for (let at = start; at < end; at += 1) logs[at] = (logs[at] as number) - log;
}

/**
 * Adds to `gradient` what a loss means for the parameters, given its slopes by the two log-probabilities chosen. `pass` must
 * be that of the same features.
 */
export function backward(
	{ hidden: width, parameters }: Policy,
	features: Float64Array,
	{ hidden, logs }: Pass,
	{
		action,
		form,
		slopes,
		gradient,
	}: { action: number; form: number; slopes: [number, number]; gradient: Float64Array },
): void {
	const first = width * inputs;
	const biases = first + choices * width;
	const chosen = [action, actions.length + form];
	const back = new Float64Array(width);
	for (let choice = 0; choice < choices; choice += 1) {
		const head = choice < actions.length ? 0 : 1;
		const slope = (slopes[head] as number) * ((choice === chosen[head] ? 1 : 0) - Math.exp(logs[choice] as number));
		if (slope === 0) continue;
		gradient[biases + choice] = (gradient[biases + choice] as number) + slope;
		for (let unit = 0; unit < width; unit += 1) {
			const at = first + choice * width + unit;
			gradient[at] = (gradient[at] as number) + slope * (hidden[unit] as number);
			back[unit] = (back[unit] as number) + slope * (parameters[at] as number);
		}
	}
	for (let unit = 0; unit < width; unit += 1) {
		const slope = (back[unit] as number) * (1 - (hidden[unit] as number) ** 2);
		for (let at = 0; at < inputs; at += 1) {
			const place = unit * inputs + at;
			gradient[place] = (gradient[place] as number) + slope * (features[at] as number);
		}
	}
}

/** Entropy of the two choices together, in nats. */
export function entropyOf(logs: Float64Array): number {
	let sum = 0;
	for (const log of logs) sum -= Math.exp(log) * log;
	return sum;
}

/** One choice from `start` to `end` by its probability, counted from `start`. */
export function sample(logs: Float64Array, start: number, end: number, random: () => number): number {
	let left = random();
	for (let at = start; at < end - 1; at += 1) {
		left -= Math.exp(logs[at] as number);
		if (left < 0) return at - start;
	}
	return end - 1 - start;
}
