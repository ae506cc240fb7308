import { type HopscopeError, usageError } from "#domain";
import type { Pooling, TextConventions } from "../conventions-row.ts";
import { normalise, shorten } from "../vector.ts";
import type { Feed, Session } from "./runtime.ts";
import type { Tokens } from "./tokens.ts";

/** Texts, their prefixes already before them, to one unit vector each; a blank text to zeros. */
export interface TextTower {
	dimensions: number;
	encode(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

/** Tokens, filling included, that one run of the model is given: bounds its memory. */
const tokensPerRun = 8192;
const textsPerRun = 64;

/** Outputs that are one vector a text, best first, and such as are one a token. */
const vectorOutputs = ["sentence_embedding", "text_embeds", "pooler_output"];
const tokenOutputs = ["last_hidden_state", "token_embeddings"];

export async function openTextTower(options: {
	session: Session;
	tokens: Tokens;
	conventions: TextConventions;
	/** Takes the vectors' first dimensions only. */
	dimensions?: number | undefined;
	/**
	 * The model's numbers depend on what else is in its batch (dynamic quantisation, fillings included), so that a text
	 * has one vector only if it is alone.
	 */
	alone: boolean;
	/** For inputs that are not text's, in a model of text and images together. */
	others?: Record<string, Feed>;
}): Promise<TextTower> {
	const { session, tokens, conventions, alone, others = {} } = options;
	const { output, pooling } = chooseOutput(session, conventions.pooling);

	async function run(batch: number[][]): Promise<Float32Array[]> {
		const longest = conventions.padTo ?? Math.max(...batch.map((ids) => ids.length));
		const feeds = { ...others, ...feedsOf(session, batch, { longest, pad: tokens.pad, ...conventions }) };
		const { values, dims } = await session.run(feeds, output);
		const width = dims.at(-1) ?? 0;
		const expected = pooling === "model" ? 2 : 3;
		if (dims.length !== expected || dims[0] !== batch.length || (expected === 3 && dims[1] !== longest))
			throw badShape(output, dims);
		return batch.map((ids, row) => {
			if (pooling === "model") return finished(values.slice(row * width, (row + 1) * width));
			const from = row * longest + (conventions.padding === "left" ? longest - ids.length : 0);
			return finished(pool(values, { from, to: from + ids.length, width, pooling }));
		});
	}

	const finished = (vector: Float32Array) => normalise(shorten(vector, options.dimensions));
	// What is declared may be a name; one run tells for certain, and that the model runs at all.
	const [probe] = await run([tokens.encode("a")]);
	return {
		dimensions: probe?.length ?? 0,
		async encode(texts, signal) {
			const vectors: Float32Array[] = new Array(texts.length);
			const waiting: { index: number; ids: number[] }[] = [];
			for (const [index, text] of texts.entries()) {
				if (text.trim() === "") vectors[index] = new Float32Array(probe?.length ?? 0);
				else waiting.push({ index, ids: tokens.encode(text) });
			}
			// By length, so that little is filled up; the longest first, so that too little memory shows at once.
			waiting.sort((a, b) => b.ids.length - a.ids.length || a.index - b.index);
			for (const batch of batches(waiting, alone)) {
				signal?.throwIfAborted();
				const made = await run(batch.map(({ ids }) => ids));
				for (const [at, { index }] of batch.entries()) vectors[index] = made[at] ?? new Float32Array(0);
			}
			signal?.throwIfAborted();
			return vectors;
		},
	};
}

function* batches<T extends { ids: number[] }>(longestFirst: T[], alone: boolean): Generator<T[]> {
	for (let start = 0; start < longestFirst.length; ) {
		const longest = longestFirst[start]?.ids.length ?? 1;
		const size = alone ? 1 : Math.min(textsPerRun, Math.max(1, Math.floor(tokensPerRun / longest)));
		yield longestFirst.slice(start, start + size);
		start += size;
	}
}

/** The output to read and whether its tokens are still to be pooled. */
function chooseOutput(session: Session, pooling: Pooling): { output: string; pooling: Pooling } {
	const first = (names: string[]) => names.find((name) => session.outputs.includes(name));
	const [lone] = session.outputs;
	if (pooling === "model") {
		const output = first(vectorOutputs) ?? lone;
		if (output) return { output, pooling };
	}
	// A file exported with its pooling knows best.
	if (session.outputs.includes("sentence_embedding")) return { output: "sentence_embedding", pooling: "model" };
	const output = first(tokenOutputs) ?? session.outputs.find((name) => session.outputShape(name)?.length === 3) ?? lone;
	if (output) return { output, pooling };
	throw badShape("none", []);
}

function badShape(output: string, dims: readonly number[]): HopscopeError {
	return usageError(
		"bad-model-file",
		`the model's output "${output}" has the shape [${dims.join(", ")}], which is no text encoder's`,
		"Export the model for feature extraction, or name its conventions (?conventions=… or ?pooling=…).",
	);
}

/** The inputs that text encoders have, for those that this one has. */
function feedsOf(
	session: Session,
	batch: number[][],
	{ longest, pad, padding, padTo }: { longest: number; pad: number; padding: "left" | "right"; padTo?: number },
): Record<string, Feed> {
	const dims = [batch.length, longest];
	const ids = new Int32Array(batch.length * longest).fill(pad);
	const mask = new Int32Array(ids.length);
	const positions = new Int32Array(ids.length);
	for (const [row, tokens] of batch.entries()) {
		const start = row * longest + (padding === "left" ? longest - tokens.length : 0);
		ids.set(tokens, start);
		// Trained without a mask: the filling counts as text.
		mask.fill(
			1,
			padTo === undefined ? start : row * longest,
			padTo === undefined ? start + tokens.length : (row + 1) * longest,
		);
		for (let at = 0; at < tokens.length; at += 1) positions[start + at] = at;
	}
	const whole = (values: Int32Array): Feed => ({ whole: true, values, dims });
	const feeds: Record<string, Feed> = {
		input_ids: whole(ids),
		attention_mask: whole(mask),
		token_type_ids: whole(new Int32Array(ids.length)),
		position_ids: whole(positions),
	};
	// Decoders exported for generation want what came before: nothing.
	for (const name of session.inputs)
		if (name.startsWith("past_key_values")) {
			const shape = (session.inputShape(name) ?? []).map((one, axis) =>
				typeof one === "number" ? one : axis === 0 ? batch.length : 0,
			);
			feeds[name] = { whole: false, values: [], dims: shape };
		}
	return feeds;
}

/** One vector of the tokens at [from, to): their mean, the first, or the last. */
function pool(
	values: Float32Array,
	{ from, to, width, pooling }: { from: number; to: number; width: number; pooling: Pooling },
): Float32Array {
	const token = (at: number) => values.slice(at * width, (at + 1) * width);
	if (pooling === "cls") return token(from);
	if (pooling === "last") return token(to - 1);
	const sum = new Float32Array(width);
	for (let at = from; at < to; at += 1)
		for (let index = 0; index < width; index += 1) sum[index] = (sum[index] ?? 0) + (values[at * width + index] ?? 0);
	return sum.map((value) => value / (to - from));
}
