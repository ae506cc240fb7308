import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { clip, HopscopeError, parseJson, usageError } from "#domain";
import { boundedFetch, ReplyTooLong, retryAfter } from "#models";
import { type Connection, type Environment, isLoopback, withVariables } from "./connection.ts";

/** How a request is made; POST where nothing is said. */
interface Request {
	method?: "GET" | "POST";
	body?: unknown;
	/** A status that is an answer too: that there is none. */
	absent?: number;
}

/** Asks a search engine. */
export interface Ask {
	/** The JSON of its answer; undefined where that is `absent`. */
	(address: string, request?: Request): Promise<unknown>;
	/** The bytes of a file. */
	bytes(address: string, request?: Request): Promise<Buffer | undefined>;
}

/** A list of a thousand long passages is far below. */
const mostBytes = 32 << 20;
const attempts = 5;
/** Seconds that a busy server may ask to wait. */
const longestWait = 30;
/** A shorter value may be an ordinary word, and may not be cut out of texts. */
const shortestSecret = 16;

/**
 * Asks a search engine: JSON both ways, at most 32 MB, once more where it is busy or the connection broke, each time later.
 * Redirects are not followed, since requests carry secrets. These go into no message, nor does what a server echoes of them.
 */
export function asker(
	connection: Pick<Extract<Connection, { headers?: unknown }>, "address" | "headers" | "timeout" | "unencrypted">,
	environment: Environment,
): Ask {
	const filled = Object.entries(connection.headers ?? {}).map(
		([name, value]) => [name, withVariables(value, environment)] as const,
	);
	const secrets = filled.flatMap(([, { secrets }]) => secrets);
	if (secrets.length > 0) mustBeEncrypted(connection);
	const headers = Object.fromEntries(filled.map(([name, { text }]) => [name, text]));
	const fetchWhole = boundedFetch({ maxBytes: mostBytes });
	const hidden = secrets.filter(({ length }) => length >= shortestSecret);
	const without = (text: string, all: readonly string[]) =>
		all.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);

	async function bytes(address: string, { method = "POST", body, absent }: Request = {}): Promise<Buffer | undefined> {
		const place = placeOf(address);
		const began = performance.now();
		let reason = "";
		for (let attempt = 1; ; attempt += 1) {
			let wait = 100 * 2 ** attempt * (0.5 + Math.random());
			try {
				const response = await fetchWhole(address, {
					method,
					headers: { accept: "application/json", ...(body ? { "content-type": "application/json" } : {}), ...headers },
					...(body ? { body: JSON.stringify(body) } : {}),
					signal: AbortSignal.timeout(connection.timeout * 1000),
				});
				const { status } = response;
				if (status === absent) return undefined;
				if (status >= 200 && status < 300) return Buffer.from(await response.arrayBuffer());
				if (status >= 300 && status < 400) throw redirected(place);
				const text = without(await response.text(), secrets);
				reason = `${status} ${clip(wordsIn(text), 300)}`.trim();
				if (![408, 425, 429].includes(status) && status < 500) throw refused(place, { status, reason, text });
				const asked = retryAfter(response.headers);
				if (asked !== undefined && asked > longestWait * 1000) break;
				// a server that asks for no wait at all, again and again, is spared too
				wait = asked === undefined || attempt > 2 ? Math.max(asked ?? 0, wait) : asked;
			} catch (error) {
				if (error instanceof HopscopeError) throw error;
				if (error instanceof ReplyTooLong)
					throw new HopscopeError("search-engine", `${place}: ${error.message}`, "Ask for fewer or shorter results.");
				reason = without(reasonOf(error, connection.timeout), secrets);
			}
			// one that hangs is not waited for as often as one that answers
			if (attempt === attempts || performance.now() - began > 2 * connection.timeout * 1000) break;
			await sleep(wait);
		}
		throw new HopscopeError("search-engine", `${place} does not answer: ${reason}`, "Try again once it is well.", {
			facts: { address: place },
		});
	}

	async function json(address: string, request?: Request): Promise<unknown> {
		const answer = await bytes(address, request);
		if (answer === undefined) return undefined;
		const text = without(answer.toString("utf8"), hidden);
		const value = parseJson(text);
		if (value === undefined) throw unreadable(placeOf(address), text);
		return value;
	}
	return Object.assign(json, { bytes });
}

/** An address as messages may hold it. */
function placeOf(address: string): string {
	const { origin, pathname } = new URL(address);
	return `${origin}${pathname}`;
}

const redirected = (place: string) =>
	usageError("search-engine", `${place} redirects, and redirects are not followed`, "Name the address itself.");

function mustBeEncrypted({ address, unencrypted }: Pick<Connection, "address" | "unencrypted">): void {
	const { protocol, hostname, origin } = new URL(address);
	if (protocol !== "http:" || unencrypted || isLoopback(hostname)) return;
	throw usageError(
		"unencrypted",
		`secrets would go unencrypted to ${origin}`,
		"Use https://, or write unencrypted: true in the connection, in a network that nobody else reads.",
	);
}

const unreadable = (place: string, text: string) =>
	usageError(
		"search-engine",
		`${place} answers with ${/^\s*</.test(text) ? "a page (HTML or XML)" : "text"} where JSON was expected`,
		"Check the address: it is the one that is asked for results.",
	);

const remedies: Record<number, string> = {
	401: "Say who asks in the connection's headers, e.g. authorization: Bearer $SEARCH_KEY.",
	403: "Check what the key of the connection's headers may do.",
	404: "Check the address, and the index, collection or table.",
	405: "Check the address and the connection's method.",
};

/** A server of Hopscope's says what was wrong by a code of its own. */
function refused(place: string, { status, reason, text }: { status: number; reason: string; text: string }) {
	const own = OwnError.safeParse(parseJson(text)).data?.error;
	const facts = { facts: { status } };
	if (own) return usageError(own.code, `${place}: ${clip(own.message, 300)}`, clip(own.remedy, 300), facts);
	const remedy = remedies[status] ?? "Check the connection's request.";
	return usageError("search-engine", `${place} refuses: ${reason}`, remedy, facts);
}

const OwnError = z.object({
	error: z.object({ code: z.string().regex(/^[a-z-]{1,40}$/), message: z.string(), remedy: z.string() }),
});

/** What a server says of its refusal: most put a sentence into `error`, `message`, `detail` or `reason`, in some depth. */
function wordsIn(text: string): string {
	const json = parseJson(text);
	if (json === undefined) return /^\s*</.test(text) ? "" : text.slice(0, 1000);
	const find = (value: unknown, depth: number): string | undefined => {
		if (typeof value === "string") return value;
		if (depth === 0 || typeof value !== "object" || value === null) return undefined;
		for (const name of ["error", "message", "detail", "reason", "status"])
			if (Object.hasOwn(value, name)) {
				const found = find((value as Record<string, unknown>)[name], depth - 1);
				if (found !== undefined) return found;
			}
		return undefined;
	};
	return find(json, 3) ?? "";
}

function reasonOf(error: unknown, timeout: number): string {
	if (!(error instanceof Error)) return "no answer";
	if (error.name === "TimeoutError") return `no answer within ${timeout} s`;
	const cause = error.cause as NodeJS.ErrnoException | undefined;
	return cause?.code ?? cause?.message ?? error.message;
}
