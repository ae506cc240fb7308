import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { HopscopeError, parseJson, usageError } from "#domain";
import { boundedFetch, type Failure, ModelError, retryAfter, withRetries } from "#models";
import type { OtlpRequest } from "./otlp-json.ts";
import { type PartialSuccess, partialSuccessIn, protobufOf } from "./protobuf.ts";

export type OtlpProtocol = "http/protobuf" | "http/json";

/** Where traces go and by which words. */
export interface OtlpReceiver {
	/** The address of its traces. */
	url: string;
	headers: Readonly<Record<string, string>>;
	protocol: OtlpProtocol;
}

const compress = promisify(gzip);
const send = boundedFetch({ maxBytes: 1024 * 1024 });
const timeoutMs = 30_000;
/** What OTLP says may be sent again. */
const passing = new Set([429, 502, 503, 504]);

/**
 * Sends one batch, gzipped; what a receiver says will pass is sent again, for as long as it asks, up to `retryFor`
 * milliseconds in all. Returns what it did not take. Throws where it takes nothing: exit 1, with its own words.
 */
export async function sendTraces(
	request: OtlpRequest,
	{ url, headers, protocol }: OtlpReceiver,
	{ signal, retryFor = 60_000 }: { signal: AbortSignal; retryFor?: number | undefined },
): Promise<PartialSuccess | undefined> {
	const isJson = protocol === "http/json";
	const body = await compress(isJson ? JSON.stringify(request) : protobufOf(request));
	const type = isJson ? "application/json" : "application/x-protobuf";
	async function attempt(): Promise<{ value: Buffer } | Failure> {
		try {
			const response = await send(url, {
				...{ method: "POST", body, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) },
				headers: { ...headers, "content-type": type, "content-encoding": "gzip" },
			});
			const said = Buffer.from(await response.arrayBuffer());
			if (response.status >= 200 && response.status < 300) return { value: said };
			const kind = passing.has(response.status) ? "transient" : "permanent";
			const words = said
				.toString("utf8")
				.replace(/[^\x20-\x7e\u00a0-\uffff]+/g, " ")
				.trim()
				.slice(0, 300);
			const error = new ModelError(`it answered ${response.status}${words === "" ? "" : `: ${words}`}`, { kind });
			return { error, retryAfterMs: retryAfter(response.headers) };
		} catch (error) {
			signal.throwIfAborted();
			const { message, cause } = error as Error;
			return { error: new ModelError(cause instanceof Error ? cause.message : message, { kind: "transient" }) };
		}
	}
	try {
		const said = await withRetries(attempt, { retryFor, signal });
		return isJson ? partialIn(parseJson(said.toString("utf8"))) : partialSuccessIn(said);
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		throw new HopscopeError(
			"not-received",
			`${url} did not take the traces: ${error.message}`,
			"Check the address and --header; what was sent before may be sent again, its ids are the same.",
			{ facts: { url } },
		);
	}
}

function partialIn(json: unknown): PartialSuccess | undefined {
	const { partialSuccess } = (json ?? {}) as { partialSuccess?: { rejectedSpans?: unknown; errorMessage?: unknown } };
	if (!partialSuccess) return undefined;
	const { rejectedSpans = 0, errorMessage = "" } = partialSuccess;
	return { rejected: Number(rejectedSpans) || 0, message: String(errorMessage).slice(0, 1000) };
}

/** An OTLP endpoint as the address of its traces: `http://host:4318` means `http://host:4318/v1/traces`. */
export function tracesAddress(endpoint: string): string {
	const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
	if (!url || !/^https?:$/.test(url.protocol))
		throw usageError("bad-address", `"${endpoint}" is no web address`, "Write it like http://127.0.0.1:4318.");
	if (url.username || url.password)
		throw usageError(
			"bad-address",
			`the address of ${url.host} holds a user name or a password`,
			"Give it as a header: --header 'Authorization=Basic …'.",
		);
	if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
	return url.href;
}

/** Headers in the form of OTEL_EXPORTER_OTLP_HEADERS, `name=value` each, values percent-encoded there. */
export function headersFrom(given: readonly string[], fromEnvironment = ""): Record<string, string> {
	const decoded = fromEnvironment.split(",").flatMap((pair) => (pair.trim() === "" ? [] : [decodedPair(pair)]));
	const pairs = [...decoded, ...given].map((pair) => {
		const at = pair.indexOf("=");
		const [name, value] = [pair.slice(0, at).trim().toLowerCase(), pair.slice(at + 1).trim()];
		if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
			throw usageError(
				"bad-header",
				`"${pair.slice(0, Math.max(at, 0))}" is no header`,
				"Write it like Authorization=Bearer KEY.",
			);
		return [name, value] as const;
	});
	return Object.fromEntries(pairs);
}

function decodedPair(pair: string): string {
	try {
		return decodeURIComponent(pair);
	} catch {
		return pair;
	}
}
