import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { escapeRegExp, HopscopeError, usageError } from "#domain";
import { sha256File } from "#store";

/** What was announced of a file. */
export interface Expected {
	bytes: number | undefined;
	sha256: string | undefined;
}

interface Patience {
	retryMs?: number;
	signal?: AbortSignal | undefined;
}

/** Most that is read of what announces no size. */
export const mostListBytes = 16 * 1024 * 1024;
/** A server that sends nothing for this long has gone. */
const stallMs = 60_000;
const tries = 4;

/** A response's body in pieces. */
export async function* piecesOf(response: Response): AsyncGenerator<Uint8Array> {
	if (!response.body) return;
	const reader = response.body.getReader();
	try {
		for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
	} finally {
		// Closes the connection where reading stopped early.
		await reader.cancel().catch(() => undefined);
	}
}

/** Continues what this or a dead process began, then checks size and hash and puts the file in its place. */
export async function fetchFile(url: string, place: string, expected: Expected, options: Patience): Promise<void> {
	await mkdir(dirname(place), { recursive: true });
	const part = `${place}.${process.pid}-${randomBytes(4).toString("hex")}.part`;
	await adoptPart(place, part);
	await attempts(options, async (signal, alive) => {
		const from = (await stat(part).catch(() => undefined))?.size ?? 0;
		if (expected.bytes === undefined || from < expected.bytes) {
			const response = await fetch(url, { signal, headers: from > 0 ? { range: `bytes=${from}-` } : {} });
			if (response.status >= 400 && response.status < 500 && ![408, 416, 429].includes(response.status))
				throw hubFailure(`${url} answers HTTP ${response.status}`, remedy);
			if (!response.ok) throw new Error(`HTTP ${response.status}`);
			// A server that knows no ranges sends all of it.
			const handle = await open(part, response.status === 206 ? "a" : "w");
			try {
				let length = response.status === 206 ? from : 0;
				for await (const chunk of piecesOf(response)) {
					alive();
					length += chunk.byteLength;
					if (length > (expected.bytes ?? mostListBytes)) throw hubFailure(`${url} is longer than announced`, remedy);
					await handle.write(chunk);
				}
				await handle.datasync();
			} finally {
				await handle.close();
			}
		}
		if (!(await isWhole(part, expected, true))) {
			const { size } = await stat(part);
			// Short: the next attempt continues it. Otherwise what is there is worthless.
			if (size >= (expected.bytes ?? 0)) await rm(part, { force: true });
			throw new Error(`${basename(place)} came with ${size} of ${expected.bytes ?? "?"} bytes, or damaged`);
		}
	});
	await rename(part, place);
}

async function adoptPart(place: string, part: string): Promise<void> {
	for (const name of await readdir(dirname(place))) {
		const [, pid] = new RegExp(`^${escapeRegExp(basename(place))}\\.(\\d+)-[0-9a-f]+\\.part$`).exec(name) ?? [];
		if (pid === undefined || isAlive(Number(pid))) continue;
		await rename(join(dirname(place), name), part).catch(() => undefined);
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

/** Whether a file has the size that was announced and, where that is asked for and known, the hash. */
export async function isWhole(path: string, { bytes, sha256 }: Expected, checkHash = false): Promise<boolean> {
	const info = await stat(path).catch(() => undefined);
	if (!info || (bytes !== undefined && info.size !== bytes)) return false;
	return !checkHash || sha256 === undefined || (await sha256File(path)) === sha256;
}

/** Tries again after what may pass; a `HopscopeError` is final. A try in which nothing happens for long is ended. */
export async function attempts<T>(
	{ signal, retryMs = 1000 }: Patience,
	attempt: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
	for (let failed = 0; ; failed += 1) {
		const controller = new AbortController();
		const forward = () => controller.abort(signal?.reason);
		signal?.throwIfAborted();
		signal?.addEventListener("abort", forward, { once: true });
		const timer = setTimeout(() => controller.abort(new Error(`nothing came for ${stallMs / 1000} s`)), stallMs);
		try {
			return await attempt(controller.signal, () => timer.refresh());
		} catch (error) {
			signal?.throwIfAborted();
			if (error instanceof HopscopeError) throw error;
			if (failed + 1 >= tries) throw hubFailure(`the download failed: ${reasonOf(error)}`, remedy, error);
			await new Promise((resolve) => setTimeout(resolve, retryMs * 2 ** failed));
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", forward);
		}
	}
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause as (Error & { code?: string }) | undefined;
	return cause?.code ?? cause?.message ?? error.message;
}

export const remedy =
	"Check the name and the network, set HF_ENDPOINT to a hub that can be reached, or give a folder: onnx:/path/to/model.";

export function hubFailure(message: string, what: string, cause?: unknown): HopscopeError {
	return usageError("hub-failed", message, what, { cause });
}
