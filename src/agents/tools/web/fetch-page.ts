import { lookup as lookUp } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import ipaddr from "ipaddr.js";
import { HopscopeError } from "#domain";
import { badCall } from "../bad-call.ts";

/**
 * Whether an address of the network layer belongs to the public internet: unicast by the registries, and none of those
 * that lead back inside (loopback, link-local with the metadata services, private, carrier-grade NAT, unique local),
 * stand for others (IPv4 in IPv6 by mapping, translation or tunnel) or are reserved.
 */
export function isPublicAddress(address: string): boolean {
	if (!ipaddr.isValid(address)) return false;
	const parsed = ipaddr.process(address.split("%")[0] ?? "");
	if (parsed.range() !== "unicast") return false;
	// of IPv6 only 2000::/3 has been given out: what else counts as unicast there is not in use
	return parsed.kind() === "ipv4" || ((parsed as ipaddr.IPv6).parts[0] ?? 0) >> 13 === 1;
}

/** Addresses of a host name, as the system resolves them. */
export type Resolve = (host: string) => Promise<string[]>;

export interface FetchOptions {
	signal?: AbortSignal | undefined;
	/** Hosts, or hosts with port, that may be private: the user's own. Compared exactly. */
	allowHosts?: string[] | undefined;
	resolve?: Resolve | undefined;
	/** Of everything together, redirects and body included. */
	timeoutMs?: number | undefined;
}

export interface FetchedPage {
	/** Where it was in the end. */
	address: string;
	mediaType: "text/html" | "text/plain";
	charset?: string;
	bytes: Buffer;
}

const mostBytes = 5 * 1024 * 1024;
const mostRedirects = 5;
const defaultTimeoutMs = 20_000;
const remedy = "Read another page.";

/**
 * Fetches a page of the public web. Addresses of the own machine or network are refused at every redirect, by what the
 * name resolves to, and the connection goes to the very address that was checked. Whatever stands in the way is a bad
 * call with a message that holds nothing the server sent.
 */
export async function fetchPage(address: string, options: FetchOptions = {}): Promise<FetchedPage> {
	const { signal, timeoutMs = defaultTimeoutMs } = options;
	const timeout = AbortSignal.timeout(timeoutMs);
	const within = signal ? AbortSignal.any([signal, timeout]) : timeout;
	try {
		let url = webAddress(address);
		for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
			const response = await send(url, { ...options, signal: within });
			const to = redirectOf(response);
			if (to === undefined) return await readPage(response, url);
			response.destroy();
			url = webAddress(to, url);
		}
		throw badCall(`the page redirects more than ${mostRedirects} times`, remedy);
	} catch (error) {
		signal?.throwIfAborted();
		if (error instanceof HopscopeError) throw error;
		if (timeout.aborted) throw badCall(`the page did not come within ${timeoutMs / 1000} s`, remedy);
		const { code } = error as NodeJS.ErrnoException;
		throw badCall(`the page cannot be reached${typeof code === "string" ? ` (${code})` : ""}`, remedy);
	}
}

function webAddress(address: string, base?: URL): URL {
	if (!URL.canParse(address, base?.href))
		throw badCall("this is no address of a page", "Give one with http:// or https://.");
	const url = new URL(address, base?.href);
	if (url.protocol !== "http:" && url.protocol !== "https:")
		throw badCall("only http and https addresses are read", remedy);
	if (url.username !== "" || url.password !== "")
		throw badCall("addresses with a name or password are not read", remedy);
	url.hash = "";
	return url;
}

async function send(
	url: URL,
	{ allowHosts = [], resolve = systemResolve, signal }: FetchOptions,
): Promise<IncomingMessage> {
	const host = url.hostname.replace(/^\[|\]$/g, "");
	const allowed = allowHosts.some((one) => one === url.hostname || one === url.host || one === host);
	const addresses = ipaddr.isValid(host) ? [host] : await beforeAbort(resolve(host), signal);
	if (!allowed && !addresses.every(isPublicAddress))
		throw badCall("addresses of private networks are not read", "Read a page of the public web.");
	if (addresses.length === 0) throw badCall("the page's host is not known", remedy);
	const request = url.protocol === "https:" ? requestHttps : requestHttp;
	return new Promise((done, failed) => {
		const sent = request(url, {
			// a connection of its own: a kept one may lead where other rules allowed
			agent: false,
			lookup: pinned(addresses),
			headers: {
				accept: "text/html, text/plain;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.1",
				"accept-encoding": "gzip, deflate, br",
				"user-agent": "Mozilla/5.0 (compatible; Hopscope)",
			},
			...(signal ? { signal } : {}),
		});
		sent.once("response", done).once("error", failed).end();
	});
}

const systemResolve: Resolve = async (host) => (await lookUp(host, { all: true })).map(({ address }) => address);

/** The system's resolver cannot be aborted: it is left behind. */
function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	return new Promise((done, failed) => {
		const leave = () => failed(signal?.reason);
		if (signal?.aborted) leave();
		signal?.addEventListener("abort", leave, { once: true });
		promise.then(done, failed).finally(() => signal?.removeEventListener("abort", leave));
	});
}

/** Answers every question for the name's address with those that were checked. */
function pinned(addresses: string[]): LookupFunction {
	const all = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
	return (_, options, done) => {
		const [first] = all;
		if (options.all) done(null, all);
		else done(null, first?.address ?? "", first?.family);
	};
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
	return [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined;
}

async function readPage(response: IncomingMessage, url: URL): Promise<FetchedPage> {
	try {
		const { statusCode = 0, headers } = response;
		if (statusCode < 200 || statusCode > 299) throw badCall(`the page answers with status ${statusCode}`, remedy);
		const [type = "", ...parameters] = (headers["content-type"] ?? "text/html").split(";");
		const mediaType = readable(type.trim().toLowerCase());
		const charset = parameters.join(";").match(/charset\s*=\s*"?([\w.:-]{1,40})/i)?.[1];
		const bytes = await allOf(decompressed(response));
		return { address: url.href, mediaType, ...(charset ? { charset } : {}), bytes };
	} finally {
		response.destroy();
	}
}

function readable(type: string): FetchedPage["mediaType"] {
	if (type === "text/plain") return type;
	if (type === "text/html" || type === "application/xhtml+xml") return "text/html";
	if (type === "application/pdf") throw badCall("the page is a PDF, which is not read from the web", remedy);
	throw badCall("the page is neither HTML nor text", remedy);
}

function decompressed(response: IncomingMessage): Readable {
	const decoder = decoderOf(response.headers["content-encoding"]);
	if (!decoder) return response;
	response.once("error", (error) => decoder.destroy(error));
	response.once("close", () => response.complete || decoder.destroy(new Error("cut short")));
	return response.pipe(decoder);
}

function decoderOf(encoding: string | undefined): Transform | undefined {
	switch (encoding?.trim().toLowerCase()) {
		case "gzip":
		case "x-gzip":
			return createGunzip();
		case "deflate":
			return createInflate();
		case "br":
			return createBrotliDecompress();
		default:
			return undefined;
	}
}

async function allOf(stream: Readable): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	try {
		for await (const chunk of stream as AsyncIterable<Buffer>) {
			length += chunk.byteLength;
			if (length > mostBytes) throw badCall(`the page is larger than ${mostBytes / 1024 / 1024} MB`, remedy);
			chunks.push(chunk);
		}
	} finally {
		stream.destroy();
	}
	return Buffer.concat(chunks);
}
