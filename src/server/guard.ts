import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { HttpError } from "./http-error.ts";

/** Whether an address is this machine's own, reachable from nowhere else. */
export const isLoopback = (host: string) =>
	host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Addresses cannot be made to lead elsewhere; R1-Searcher's and ReSearch's clients ask for 0.0.0.0. */
const loopbackNames = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];

/**
 * Refuses a request addressed to a name that is not this server's: a page whose name was made to lead to this machine
 * (DNS rebinding) could otherwise read everything. A server that others reach has a token instead, and names it only
 * where it was told to.
 */
export function createHostCheck(options: { host: string; names: string[] }): (request: IncomingMessage) => void {
	const { host, names } = options;
	if (!isLoopback(host) && names.length === 0) return () => {};
	const allowed = new Set([
		...(isLoopback(host) ? loopbackNames : []),
		...[host, ...names].map((name) => name.toLowerCase()),
	]);
	return ({ headers }) => {
		const name = (headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
		if (allowed.has(name)) return;
		throw new HttpError(
			403,
			"unknown-host",
			"the Host header names another server",
			"Ask by one of the server's own names; its operator adds names with --allow-host.",
		);
	};
}

/** Who asks: a trainer may do everything; a policy opens episodes, acts in them, and sees no reward. */
export type Role = "trainer" | "policy";

/**
 * Whose token a request carries: as `Authorization: Bearer TOKEN`; or as the password of basic authentication, so
 * that a client which takes only an address can be given `http://any:TOKEN@host:port/retrieve`; or as `X-API-Key: TOKEN`,
 * as clients of the Open Reward Standard send it.
 * Without a token set whoever asks is the trainer.
 */
export function createTokenCheck({
	token,
	policyToken,
}: {
	token?: string | undefined;
	policyToken?: string | undefined;
}): (request: IncomingMessage) => Role | undefined {
	if (token === undefined) return () => "trainer";
	const trainer = digest(token);
	const policy = policyToken === undefined ? undefined : digest(policyToken);
	// digests are of one length whatever was sent, and comparing them takes one time
	return ({ headers: { authorization, "x-api-key": key } }) => {
		const sent = digest(authorization === undefined && typeof key === "string" ? key : sentToken(authorization ?? ""));
		const [isTrainer, isPolicy] = [
			timingSafeEqual(sent, trainer),
			policy !== undefined && timingSafeEqual(sent, policy),
		];
		return isTrainer ? "trainer" : isPolicy ? "policy" : undefined;
	};
}

export const unauthorised = () =>
	new HttpError(401, "no-token", "the token is missing or wrong", 'Send the header "authorization: Bearer TOKEN".', {
		// a browser asks its user, who gives the token as the password
		headers: { "www-authenticate": 'Bearer realm="hopscope", Basic realm="hopscope"' },
	});

export const trainersOnly = () =>
	new HttpError(
		403,
		"trainers-only",
		"this is the trainer's, and the token is the policy's",
		"A policy opens episodes and acts in them; ask this with the trainer's token.",
	);

function sentToken(authorization: string): string {
	const [, scheme = "", value = ""] = /^(bearer|basic)\s+(\S+)\s*$/i.exec(authorization) ?? [];
	if (scheme.toLowerCase() === "bearer") return value;
	const named = Buffer.from(value, "base64").toString("utf8");
	return named.slice(named.indexOf(":") + 1);
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Refuses what a page of another site lets a browser send: what it asks by GET it cannot read, but a POST without a body
 * or a WebSocket would have its effect.
 */
export function mustBeNoOtherSite({ headers: { origin, host } }: IncomingMessage): void {
	if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
	throw new HttpError(
		403,
		"other-site",
		"a page of another site asks",
		"Ask from a program, or from this server's site.",
	);
}
