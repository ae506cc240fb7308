import { z } from "zod";
import { software, usageError } from "#domain";
import { boundedFetch, createLimiter, type Failure, ModelError, ReplyTooLong, retryAfter, withRetries } from "#models";
import { EncyclopediaError } from "../encyclopedia.ts";
import { type AnswerCache, openAnswerCache } from "./answer-cache.ts";

export interface ClientOptions {
	/** Mail address or https page by which the operators can reach whoever asks: their policy demands one. */
	contact: string;
	/** Folder of cached responses. */
	cache: string;
	/** A server to ask in place of the public ones: `AT/www.wikidata.org/w/api.php` and so on. */
	at?: string | undefined;
	/** Days for which an answer that names no revision is kept. */
	days?: number | undefined;
	/** Milliseconds for which a failing service is asked again. */
	retryFor?: number | undefined;
}

export type Host = "www.wikidata.org" | "commons.wikimedia.org" | `${string}.wikipedia.org`;

/** Bytes of an answer and of a picture. */
const mostBytes = 16 * 1024 * 1024;
const mostPictureBytes = 32 * 1024 * 1024;
/** Bytes of a refusal that are read for what it says. */
const mostSaidBytes = 4096;
/** Requests to one host at the same time: the operators ask for no more. */
const places = 3;
/** Seconds that the database servers may be behind before a request is to be put off. */
const maxlag = 5;
const timeoutMs = 30_000;
/** Pictures come from here and nowhere else. */
const pictureHosts: ReadonlySet<string> = new Set(["upload.wikimedia.org"]);

/** One answer with the moment in which it was given. */
export interface Told<T> {
	value: T;
	retrievedAt: string;
}

/** Asks Wikimedia's services as their rules want: identified, few at a time, put off when they are busy, and seldom. */
export interface WikimediaClient {
	/** One call of the Action API. */
	query<T>(host: Host, parameters: Record<string, string>, schema: z.ZodType<T>, options: Asking): Promise<Told<T>>;
	/** A file of JSON, as it stood at a revision: kept for good. */
	file<T>(host: Host, path: string, schema: z.ZodType<T>, options: Asking): Promise<Told<T>>;
	picture(url: string, options: Asking): Promise<Buffer>;
}

export interface Asking {
	signal?: AbortSignal | undefined;
}

export function createClient({ contact, cache, at, days = 30, retryFor }: ClientOptions): WikimediaClient {
	const limiter = createLimiter({ places });
	const hearing = {};
	const kept: AnswerCache = openAnswerCache(cache, { days });
	const headers = { "user-agent": agentOf(contact), accept: "application/json", "accept-encoding": "gzip" };
	const base = at?.replace(/\/+$/, "");
	const placeOf = (host: Host, path: string) =>
		base === undefined ? `https://${host}${path}` : `${base}/${host}${path}`;

	async function fetched(url: string, { mostBytes: most, signal }: Asking & { mostBytes: number }): Promise<Buffer> {
		const send = boundedFetch({ maxBytes: most });
		async function attempt(): Promise<{ value: Buffer } | Failure> {
			try {
				const timeout = AbortSignal.timeout(timeoutMs);
				const response = await send(url, { headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
				const body = Buffer.from(await response.arrayBuffer());
				return response.status === 200 ? answered(body, response) : refused(response, body);
			} catch (error) {
				signal?.throwIfAborted();
				const kind = error instanceof ReplyTooLong ? "request" : "transient";
				return { error: new ModelError(error instanceof Error ? error.message : String(error), { kind }) };
			}
		}
		const account = new URL(url).host;
		try {
			const turn = () => limiter.run(account, attempt, { signal });
			return await withRetries(turn, { retryFor, signal, hearing });
		} catch (error) {
			if (error instanceof ModelError) throw new EncyclopediaError(`${plainAddress(url)}: ${error.message}`);
			throw error;
		}
	}

	async function asked<T>(
		url: string,
		about: { schema: z.ZodType<T>; forGood: boolean; signal: AbortSignal | undefined },
	): Promise<Told<T>> {
		const { schema, forGood, signal } = about;
		const before = await kept.get(url, { forGood });
		const read = (text: string) => schema.safeParse(jsonOf(text));
		const known = before && read(before.body);
		if (before && known?.success) return { value: known.data, retrievedAt: before.retrievedAt };
		const body = (await fetched(url, { mostBytes, signal })).toString("utf8");
		const parsed = read(body);
		if (!parsed.success)
			throw new EncyclopediaError(
				`${plainAddress(url)}: the answer is not of the form that is known: ${parsed.error.issues[0]?.message}`,
			);
		return { value: parsed.data, retrievedAt: await kept.put(url, body) };
	}

	return {
		query(host, parameters, schema, { signal }) {
			const search = new URLSearchParams({ ...parameters, format: "json", formatversion: "2", maxlag: String(maxlag) });
			search.sort();
			return asked(`${placeOf(host, "/w/api.php")}?${search}`, { schema, forGood: false, signal });
		},
		file: (host, path, schema, { signal }) => asked(placeOf(host, path), { schema, forGood: true, signal }),
		async picture(url, { signal }) {
			const ours = base !== undefined && url.startsWith(`${base}/`);
			const parsed = URL.canParse(url) ? new URL(url) : undefined;
			if (!ours && !(parsed?.protocol === "https:" && pictureHosts.has(parsed.host)))
				throw new EncyclopediaError(`a picture is not fetched from ${parsed?.host ?? "an address that is none"}`);
			return fetched(url, { mostBytes: mostPictureBytes, signal });
		},
	};
}

const ErrorBody = z.object({ error: z.object({ code: z.string(), info: z.string().default("") }) });
/** Errors of the Action API that come with status 200 and pass by themselves. */
const passing: ReadonlySet<string> = new Set(["maxlag", "ratelimited", "readonly"]);

function answered(body: Buffer, response: Response): { value: Buffer } | Failure {
	if (!(response.headers.get("content-type") ?? "").includes("json")) return { value: body };
	const json = jsonOf(body.toString("utf8"));
	if (json === undefined) return { error: new ModelError("the answer is no JSON", { kind: "transient" }) };
	const failed = ErrorBody.safeParse(json);
	if (!failed.success) return { value: body };
	const { code, info } = failed.data.error;
	const status = code === "ratelimited" ? 429 : undefined;
	const kind = passing.has(code) ? "transient" : "permanent";
	const error = new ModelError(`${code}: ${info.slice(0, 300)}`, { status, kind });
	return { error, retryAfterMs: retryAfter(response.headers) };
}

function refused(response: Response, body: Buffer): Failure {
	const { status } = response;
	// a short part, before any expression is looked for in it: the body is whatever the server likes
	const said = body
		.toString("utf8", 0, mostSaidBytes)
		.replace(/<[^>]*>/g, " ")
		.replace(/\s+/g, " ")
		.slice(0, 200);
	return {
		error: new ModelError(`status ${status}${said.trim() === "" ? "" : `: ${said}`}`, { status }),
		retryAfterMs: retryAfter(response.headers),
	};
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** `client/version (contact) library/version`, as the user-agent policy has it. */
function agentOf(contact: string): string {
	const reachable = /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+$/.test(contact) || /^https:\/\/[^\s()]+$/.test(contact);
	if (!reachable)
		throw usageError(
			"no-contact",
			"Wikimedia's services are asked only with an address of whoever asks",
			"Give --contact with a mail address or an https page.",
		);
	const { hopscope, node } = software();
	return `Hopscope/${hopscope} (${contact}) node/${node.replace(/^v/, "")}`;
}

const plainAddress = (url: string) => url.slice(0, 300);

/** A page's address as a field, left out where it is none of the web: readers follow it. */
export const webAddress = (said: string | undefined): { url?: string } =>
	said !== undefined && said.length <= 2000 && /^https:\/\/[^\s"'<>]+$/.test(said) ? { url: said } : {};
