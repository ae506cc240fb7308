import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import { parseJson } from "#domain";
import { boundedFetch } from "#models";

export interface ServiceRequest {
	url: string;
	method?: "GET" | "POST";
	headers?: Record<string, string>;
	body?: string | FormData;
}

const mostBytes = 5 * 1024 * 1024;
const timeoutMs = 20_000;
const mostAttempts = 3;
/** A service that asks to wait longer has refused. */
const longestWaitMs = 30_000;

/**
 * The JSON reply of a service that the user configured, parsed. Tries again after 429, 5xx and connection faults; fails
 * with the service's name and status, never with the key, the address or anything that it sent.
 */
export async function askService<T>(
	{ url, ...init }: ServiceRequest,
	options: { service: string; schema: z.ZodType<T>; secret?: string | undefined; signal?: AbortSignal | undefined },
): Promise<T> {
	const { service, schema, secret, signal } = options;
	const send = boundedFetch({ maxBytes: mostBytes, secret });
	for (let attempt = 1; ; attempt += 1) {
		const timeout = AbortSignal.timeout(timeoutMs);
		const within = signal ? AbortSignal.any([signal, timeout]) : timeout;
		let problem: string;
		let wait = 500 * 2 ** attempt * (0.75 + 0.25 * Math.random());
		try {
			const response = await send(url, { ...init, signal: within });
			if (response.ok) return parsed(await response.text(), service, schema);
			problem = `answered with status ${response.status}`;
			if (response.status !== 429 && response.status < 500) throw new ServiceFailure(`${service} ${problem}`);
			const seconds = Number(response.headers.get("retry-after"));
			if (seconds > 0) wait = seconds * 1000;
		} catch (error) {
			signal?.throwIfAborted();
			if (error instanceof ServiceFailure) throw error;
			problem = timeout.aborted ? `did not answer within ${timeoutMs / 1000} s` : "cannot be reached";
		}
		if (attempt >= mostAttempts || wait > longestWaitMs) throw new ServiceFailure(`${service} ${problem}`);
		await sleep(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
	}
}

class ServiceFailure extends Error {
	override readonly name = "ServiceFailure";
}

function parsed<T>(text: string, service: string, schema: z.ZodType<T>): T {
	const body = parseJson(text);
	if (body === undefined) throw new ServiceFailure(`${service} answered with what is no JSON`);
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	throw new ServiceFailure(`${service} answered in another form: ${issue?.path.join(".")} ${issue?.code}`);
}
