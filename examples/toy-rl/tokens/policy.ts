/**
 * A language model small enough to be trained in a minute: a gated recurrent unit over one-hot tokens, and beside its
 * vocabulary a pointer that copies from what it has read. Without the pointer copying is not learnt at this size.
 * p(token) = gate * softmax(output h) + (1 - gate) * sum of attention over the places that hold the token. Silent tokens
 * take part in neither.
 */
import { addScaled, dot, multiply, multiplyBack, sigmoid, softmax } from "./linear.ts";
import type { Tape } from "./tape.ts";
import type { Weights } from "./weights.ts";

/** Reads one more token. */
export function readToken(weights: Weights, tape: Tape, token: number): void {
	const { hidden: width } = weights.shape;
	const place = tape.length;
	const hidden = tape.hidden[place];
	const input = weights.input[token];
	const [update, reset, candidate] = [tape.update[place], tape.reset[place], tape.candidate[place]];
	const [recurrent, key] = [tape.recurrent[place], tape.keys[place]];
	if (!hidden || !input || !update || !reset || !candidate || !recurrent || !key)
		throw new RangeError(`token ${token} at place ${place} is beyond what this policy holds`);
	const before = place === 0 ? undefined : tape.hidden[place - 1];
	if (before) multiply(recurrent, weights.recurrent, before);
	else recurrent.fill(0);
	for (let at = 0; at < width; at += 1) {
		const z = sigmoid((input[at] as number) + (recurrent[at] as number));
		const r = sigmoid((input[width + at] as number) + (recurrent[width + at] as number));
		const inner = (recurrent[2 * width + at] as number) + (weights.candidateBias[at] as number);
		const n = Math.tanh((input[2 * width + at] as number) + r * inner);
		update[at] = z;
		reset[at] = r;
		candidate[at] = n;
		hidden[at] = (1 - z) * n + z * (before ? (before[at] as number) : 0);
	}
	multiply(key, weights.key, hidden);
	tape.tokens[place] = token;
	tape.length = place + 1;
}

/** Makes ready what comes after a place that has been read. */
export function lookAhead(weights: Weights, tape: Tape, place: number): void {
	const { hidden, query, attention, written } = rowsAt(tape, place);
	multiply(query, weights.query, hidden);
	const scale = 1 / Math.sqrt(weights.shape.pointer);
	const { silent } = weights.shape;
	for (let at = 0; at <= place; at += 1)
		attention[at] =
			(tape.tokens[at] as number) < silent
				? Number.NEGATIVE_INFINITY
				: scale * dot(query, tape.keys[at] as Float64Array);
	softmax(attention, place + 1);
	multiply(written, weights.output, hidden);
	addScaled(written, weights.outputBias, 1);
	written.fill(Number.NEGATIVE_INFINITY, 0, silent);
	softmax(written);
	tape.gate[place] = sigmoid(dot(weights.gate, hidden) + (weights.gateBias[0] as number));
}

/** Probability of a token behind a place that was looked ahead from. */
export function probabilityOf(tape: Tape, place: number, token: number): number {
	const { written } = rowsAt(tape, place);
	const gate = tape.gate[place] as number;
	return gate * (written[token] as number) + (1 - gate) * copied(tape, place, token);
}

/** Probabilities of all tokens behind such a place. */
export function fillDistribution(tape: Tape, place: number, into: Float64Array): void {
	const { attention, written } = rowsAt(tape, place);
	const gate = tape.gate[place] as number;
	for (let token = 0; token < into.length; token += 1) into[token] = gate * (written[token] as number);
	for (let at = 0; at <= place; at += 1) {
		const token = tape.tokens[at] as number;
		into[token] = (into[token] as number) + (1 - gate) * (attention[at] as number);
	}
}

/**
 * Adds to `gradient` the slope of a loss by every parameter. `slopes[i]`: of the loss by the log-probability of the token
 * at place i; where it is not 0, place i - 1 must have been looked ahead from.
 */
export function goBack(weights: Weights, gradient: Weights, tape: Tape, slopes: ArrayLike<number>): void {
	const { hidden: width } = weights.shape;
	const { slopes: work, length } = tape;
	for (let place = 0; place < length; place += 1) work.keys[place]?.fill(0);
	work.hidden.fill(0);
	for (let place = length - 1; place >= 0; place -= 1) {
		const { hidden, update, reset, candidate, recurrent, slopeOfKey } = rowsAt(tape, place);
		const slope = place + 1 < length ? (slopes[place + 1] ?? 0) : 0;
		if (slope !== 0) goBackAhead(weights, gradient, { tape, place, slope });
		multiplyBack({ ofX: work.hidden, ofMatrix: gradient.key }, weights.key, hidden, slopeOfKey);

		const before = place === 0 ? undefined : tape.hidden[place - 1];
		for (let at = 0; at < width; at += 1) {
			const z = update[at] as number;
			const r = reset[at] as number;
			const n = candidate[at] as number;
			const last = before ? (before[at] as number) : 0;
			const slopeOfHidden = work.hidden[at] as number;
			const ofCandidate = slopeOfHidden * (1 - z) * (1 - n * n);
			const inner = (recurrent[2 * width + at] as number) + (weights.candidateBias[at] as number);
			const ofReset = ofCandidate * inner * r * (1 - r);
			const ofUpdate = slopeOfHidden * (last - n) * z * (1 - z);
			work.gates[at] = ofUpdate;
			work.gates[width + at] = ofReset;
			work.gates[2 * width + at] = ofCandidate;
			work.memory[at] = ofUpdate;
			work.memory[width + at] = ofReset;
			work.memory[2 * width + at] = ofCandidate * r;
			gradient.candidateBias[at] = (gradient.candidateBias[at] as number) + ofCandidate * r;
			work.before[at] = slopeOfHidden * z;
		}
		addScaled(gradient.input[tape.tokens[place] as number] as Float64Array, work.gates, 1);
		if (before)
			multiplyBack({ ofX: work.before, ofMatrix: gradient.recurrent }, weights.recurrent, before, work.memory);
		work.hidden.set(work.before);
	}
}

/** From the probability of the token behind a place to the parameters that made it, the place's memory and all keys. */
function goBackAhead(
	weights: Weights,
	gradient: Weights,
	{ tape, place, slope }: { tape: Tape; place: number; slope: number },
): void {
	const { hidden, query, attention, written } = rowsAt(tape, place);
	const { slopes: work } = tape;
	const token = tape.tokens[place + 1] as number;
	const gate = tape.gate[place] as number;
	const byWriting = written[token] as number;
	const byCopying = copied(tape, place, token);
	const ofProbability = slope / (gate * byWriting + (1 - gate) * byCopying);

	const ofGate = ofProbability * (byWriting - byCopying) * gate * (1 - gate);
	addScaled(gradient.gate, hidden, ofGate);
	gradient.gateBias[0] = (gradient.gateBias[0] as number) + ofGate;
	addScaled(work.hidden, weights.gate, ofGate);

	const ofWriting = ofProbability * gate * byWriting;
	for (let at = 0; at < work.written.length; at += 1) work.written[at] = -ofWriting * (written[at] as number);
	work.written[token] = (work.written[token] as number) + ofWriting;
	addScaled(gradient.outputBias, work.written, 1);
	multiplyBack({ ofX: work.hidden, ofMatrix: gradient.output }, weights.output, hidden, work.written);

	const scale = 1 / Math.sqrt(weights.shape.pointer);
	work.query.fill(0);
	for (let at = 0; at <= place; at += 1) {
		const held = tape.tokens[at] === token ? 1 : 0;
		const ofScore = scale * ofProbability * (1 - gate) * (attention[at] as number) * (held - byCopying);
		addScaled(work.query, tape.keys[at] as Float64Array, ofScore);
		addScaled(work.keys[at] as Float64Array, query, ofScore);
	}
	multiplyBack({ ofX: work.hidden, ofMatrix: gradient.query }, weights.query, hidden, work.query);
}

function copied({ attention, tokens }: Tape, place: number, token: number): number {
	const row = attention[place] as Float64Array;
	let sum = 0;
	for (let at = 0; at <= place; at += 1) if (tokens[at] === token) sum += row[at] as number;
	return sum;
}

function rowsAt(tape: Tape, place: number) {
	return {
		hidden: tape.hidden[place] as Float64Array,
		update: tape.update[place] as Float64Array,
		reset: tape.reset[place] as Float64Array,
		candidate: tape.candidate[place] as Float64Array,
		recurrent: tape.recurrent[place] as Float64Array,
		query: tape.queries[place] as Float64Array,
		attention: tape.attention[place] as Float64Array,
		written: tape.written[place] as Float64Array,
		slopeOfKey: tape.slopes.keys[place] as Float64Array,
	};
}
