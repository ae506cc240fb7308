import { z } from "zod";
import { type HopscopeError, usageError } from "#domain";

/** What a user may say of a model where its name and files do not, after a question mark in the encoder's name. */
const Overrides = z.strictObject({
	/** Row of the conventions table. */
	conventions: z.string().min(1).max(60).optional(),
	/** Cuts vectors to their first dimensions and scales them to length 1 again. */
	dimensions: z.coerce.number().int().min(1).max(65_536).optional(),
	/** Put before queries and before passages. */
	query: z.string().max(2000).optional(),
	passage: z.string().max(2000).optional(),
	pooling: z.enum(["mean", "cls", "last"]).optional(),
	maxTokens: z.coerce.number().int().min(8).max(1_000_000).optional(),
	/** Precision of an ONNX file, as the hub names them: `fp32`, `fp16`, `q8`, … */
	dtype: z.enum(["fp32", "fp16", "q8", "int8", "uint8", "q4", "q4f16", "bnb4"]).optional(),
	/** Branch, tag or commit at the hub. */
	revision: z
		.string()
		.regex(/^[\w][\w.-]{0,99}$/)
		.optional(),
	/** How a server takes images: see the server encoders. */
	form: z.enum(["chat", "infinity", "jina", "vllm"]).optional(),
});
export type Overrides = z.infer<typeof Overrides>;

export type EncoderKind = "onnx" | "openai" | "server" | "characters" | "layout";

export interface EncoderName {
	kind: EncoderKind;
	/** Folder, hub's id, or `MODEL@http://host`; empty for the offline ones. */
	model: string;
	overrides: Overrides;
	/** The name written in one way, so that equal encoders have equal names. */
	canonical: string;
}

/** In which forms servers take each. */
const forms: Record<"text" | "image" | "page", string[]> = {
	text: [],
	image: ["chat", "infinity", "jina"],
	page: ["vllm", "infinity"],
};

const examples = {
	text: '"characters", "onnx:FOLDER", "onnx:intfloat/e5-small-v2" or "openai:MODEL@http://host:8000/v1"',
	image: '"layout", "onnx:FOLDER", "onnx:Xenova/clip-vit-base-patch32" or "openai:MODEL@http://host:8000/v1"',
	page: '"server:vidore/colpali-v1.3-hf@http://host:8000"',
};

/** Takes an encoder's name apart; one that names none is a usage error with examples. */
export function parseEncoderName(name: string, use: "text" | "image" | "page"): EncoderName {
	const allowed: Record<typeof use, EncoderKind[]> = {
		text: ["characters", "onnx", "openai"],
		image: ["layout", "onnx", "openai"],
		page: ["server"],
	};
	const match = /^(?<kind>[a-z]+)(?::(?<model>[^?]+))?(?:\?(?<query>.*))?$/s.exec(name.trim());
	const { model = "", query = "" } = match?.groups ?? {};
	const kind = allowed[use].find((one) => one === match?.groups?.kind);
	const offline = kind === "characters" || kind === "layout";
	if (kind === undefined || offline !== (model === ""))
		throw badName(name, `names no ${use} encoder`, `Write ${examples[use]}.`);
	const parsed = Overrides.safeParse(Object.fromEntries(new URLSearchParams(query)));
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		const about = issue?.path.length ? `${issue.path.join(".")}: ${issue.message}` : (issue?.message ?? "does not fit");
		throw badName(
			name,
			`has a setting that cannot be read (${about})`,
			`Settings stand after "?" and between "&": ${Object.keys(Overrides.shape).join(", ")}.`,
		);
	}
	const { form } = parsed.data;
	if (form !== undefined && !forms[use].includes(form))
		throw badName(
			name,
			`asks for the form "${form}", which is not one of ${use} encoders`,
			`Known: ${forms[use].join(", ") || "none"}.`,
		);
	const sorted = new URLSearchParams(
		Object.entries(parsed.data)
			.map(([key, value]) => [key, String(value)])
			.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
	).toString();
	const plain = offline ? kind : `${kind}:${model}`;
	return { kind, model, overrides: parsed.data, canonical: sorted ? `${plain}?${sorted}` : plain };
}

/** The name as shown: an address may carry a password, which no message repeats. */
function badName(name: string, what: string, remedy: string): HopscopeError {
	const shown = name.replace(/\/\/[^/]*@/g, "//").slice(0, 200);
	return usageError("bad-encoder", `"${shown}" ${what}`, remedy);
}
