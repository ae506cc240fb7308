import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { HopscopeError, usageError } from "#domain";
import { float16Of, floatOf16 } from "../float16.ts";

/** What is used of ONNX Runtime: the native and the WebAssembly build have the same face. */
interface Runtime {
	InferenceSession: {
		create(model: string | Uint8Array, options?: Record<string, unknown>): Promise<RawSession>;
	};
	Tensor: new (
		type: string,
		data: BigInt64Array | Int32Array | Float32Array | Uint16Array,
		dims: number[],
	) => RawTensor;
	env: { wasm?: { numThreads?: number }; logLevel?: string };
}
interface RawTensor {
	type: string;
	data: unknown;
	dims: readonly number[];
	dispose?(): void;
}
interface ValueMetadata {
	name: string;
	type?: string;
	shape?: readonly (number | string)[];
}
interface RawSession {
	inputNames: readonly string[];
	outputNames: readonly string[];
	inputMetadata?: readonly ValueMetadata[];
	outputMetadata?: readonly ValueMetadata[];
	run(feeds: Record<string, RawTensor>, fetches: string[]): Promise<Record<string, RawTensor>>;
	release?(): Promise<void>;
}

/** Numbers with their shape. Whole numbers are given as numbers and sent as the type that the model declares. */
export interface Feed {
	whole: boolean;
	values: ArrayLike<number>;
	dims: number[];
}
export interface Output {
	values: Float32Array;
	dims: readonly number[];
}

/** A loaded model. */
export interface Session {
	/** `onnxruntime-node` or `onnxruntime-web`. */
	runtime: string;
	inputs: readonly string[];
	outputs: readonly string[];
	/** As declared; undefined where the runtime does not tell. A free dimension is a name. */
	inputShape(name: string): readonly (number | string)[] | undefined;
	outputShape(name: string): readonly (number | string)[] | undefined;
	/** Runs the model for one output. Runs asked for at once happen one after another. */
	run(feeds: Record<string, Feed>, output: string): Promise<Output>;
	close(): Promise<void>;
}

const native: string = "onnxruntime-node";
const webAssembly = "onnxruntime-web";
/** Both are optional. The native one is a variable here, so that the compiler does not want it installed. */
const importers: Record<string, () => Promise<unknown>> = {
	[native]: () => import(native),
	[webAssembly]: () => import("onnxruntime-web"),
};
const installLine = `ONNXRUNTIME_NODE_INSTALL_CUDA=skip npm i ${native}`;

interface Loaded {
	runtime: Runtime;
	/** It reads model files by itself; the WebAssembly build knows no files and is given their bytes. */
	readsFiles: boolean;
}
let loaded: Promise<Loaded> | undefined;

/** The native runtime if it is installed, else the WebAssembly one (some six times slower), else an error that says how. */
export async function loadRuntime(packages = [native, webAssembly]): Promise<Loaded> {
	const failures: unknown[] = [];
	for (const name of packages) {
		try {
			const module = (await importers[name]?.()) as (Runtime & { default?: Runtime }) | undefined;
			const runtime = module?.InferenceSession ? module : module?.default;
			if (!runtime) throw new Error(`${name} has another face than expected`);
			if (name === webAssembly && runtime.env.wasm) runtime.env.wasm.numThreads = Math.min(availableParallelism(), 8);
			return { runtime, readsFiles: name === native };
		} catch (error) {
			failures.push(error);
		}
	}
	throw usageError(
		"missing-package",
		"ONNX models need ONNX Runtime, which is not installed",
		`Install it: ${installLine} (or npm i ${webAssembly}, slower and without native code).`,
		{ cause: failures[0] },
	);
}

/** Loads a model file, with its weights beside it where it keeps them apart (`NAME_data`). */
export async function openSession(file: string, weights: string | undefined): Promise<Session> {
	loaded ??= loadRuntime();
	const { runtime, readsFiles } = await loaded.catch((error: unknown) => {
		loaded = undefined;
		throw error;
	});
	let raw: RawSession;
	try {
		// Only errors are printed.
		const options: Record<string, unknown> = { logSeverityLevel: 3 };
		if (!readsFiles && weights) options.externalData = [{ path: basename(weights), data: await readFile(weights) }];
		raw = await runtime.InferenceSession.create(readsFiles ? file : await readFile(file), options);
	} catch (error) {
		throw usageError(
			"bad-model-file",
			`${file} cannot be loaded: ${firstLine(error)}`,
			"Give a whole ONNX model; fetch it again if the download broke off.",
			{ cause: error },
		);
	}
	return wrap(runtime, raw, { file, name: readsFiles ? native : webAssembly });
}

function wrap(runtime: Runtime, raw: RawSession, { file, name }: { file: string; name: string }): Session {
	let before: Promise<unknown> = Promise.resolve();
	let closed: Promise<void> | undefined;
	const about = (list: readonly ValueMetadata[] | undefined, name: string) => list?.find((one) => one.name === name);

	async function run(feeds: Record<string, Feed>, output: string): Promise<Output> {
		const tensors: Record<string, RawTensor> = {};
		for (const name of raw.inputNames) {
			const feed = feeds[name];
			if (!feed) throw new Error(`there is no value for its input "${name}"`);
			tensors[name] = tensorOf(runtime, feed, about(raw.inputMetadata, name)?.type);
		}
		const found = (await raw.run(tensors, [output]))[output];
		if (!found) throw new Error(`it gave no "${output}"`);
		const values = floatsOf(found);
		found.dispose?.();
		return { values, dims: found.dims };
	}

	return {
		runtime: name,
		inputs: raw.inputNames,
		outputs: raw.outputNames,
		inputShape: (name) => about(raw.inputMetadata, name)?.shape,
		outputShape: (name) => about(raw.outputMetadata, name)?.shape,
		run(feeds, output) {
			const result = before.then(() => run(feeds, output));
			before = result.catch(() => undefined);
			return result.catch((error: unknown) => {
				throw new HopscopeError(
					"model-failed",
					`${file} failed: ${firstLine(error)}`,
					"Check that the model is an encoder of the kind that it is used as.",
					{ cause: error },
				);
			});
		},
		// the native runtime refuses to be released twice, and a search and who opened its encoder may both close it
		close() {
			closed ??= before.then(() => raw.release?.());
			return closed;
		},
	};
}

function tensorOf({ Tensor }: Runtime, { whole, values, dims }: Feed, type = whole ? "int64" : "float32"): RawTensor {
	if (type === "int64") return new Tensor(type, BigInt64Array.from(Array.from(values, BigInt)), dims);
	if (type === "int32") return new Tensor(type, Int32Array.from(values), dims);
	if (type === "float16") return new Tensor(type, Uint16Array.from(values, float16Of), dims);
	return new Tensor("float32", values instanceof Float32Array ? values : Float32Array.from(values), dims);
}

/** A copy: the runtime may use its memory again. */
function floatsOf({ type, data }: RawTensor): Float32Array {
	if (data instanceof Float32Array) return data.slice();
	if (type === "float16" && data instanceof Uint16Array) return Float32Array.from(data, floatOf16);
	if (ArrayBuffer.isView(data)) return Float32Array.from(data as unknown as ArrayLike<number>);
	throw new Error(`its output has the type ${type}, which is no vector`);
}

const firstLine = (error: unknown) =>
	(error instanceof Error ? error.message : String(error)).split("\n")[0]?.slice(0, 300) ?? "";
