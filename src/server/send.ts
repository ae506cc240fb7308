import { open } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { sendEvents } from "./events.ts";
import { HttpError } from "./http-error.ts";
import type { Answer } from "./route.ts";

/** What browsers are told: do not guess types, let no other site embed this, run nothing. */
const careful = {
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "same-origin",
	"content-security-policy": "default-src 'none'; sandbox",
};

/** Sends an answer whole; what fails before the first byte is thrown, and can still be answered. */
export async function send(response: ServerResponse, answer: Answer, signal: AbortSignal): Promise<void> {
	if ("file" in answer) return sendFile(response, answer);
	if ("json" in answer) return sendJson(response, answer.status ?? 200, answer.json, answer.headers);
	if ("bytes" in answer) {
		const { bytes: body, type, headers = {} } = answer;
		return sendBytes(response, 200, { body, type, headers });
	}
	if ("text" in answer) {
		const { text, headers = {} } = answer;
		return sendBytes(response, 200, { body: Buffer.from(text), type: "text/plain; charset=utf-8", headers });
	}
	if ("status" in answer) {
		response.writeHead(answer.status, { ...careful, "content-length": 0, ...answer.headers }).end();
		return;
	}
	const type = "text/event-stream; charset=utf-8";
	response.writeHead(200, { ...careful, "content-type": type, "cache-control": "no-store", ...answer.headers });
	response.flushHeaders();
	await sendEvents(response, answer.events, signal);
}

export function sendJson(
	response: ServerResponse,
	status: number,
	json: unknown,
	headers: Readonly<Record<string, string>> = {},
): void {
	sendBytes(response, status, { body: Buffer.from(JSON.stringify(json)), type: "application/json", headers });
}

function sendBytes(
	response: ServerResponse,
	status: number,
	{ body, type, headers }: { body: Buffer; type: string; headers?: Readonly<Record<string, string>> },
): void {
	const about = { "content-type": type, "content-length": body.length, "cache-control": "no-store" };
	response.writeHead(status, { ...careful, ...about, ...headers });
	response.end(response.req.method === "HEAD" ? undefined : body);
}

/** Types that a browser shows; everything else is offered for saving. */
const shownTypes: Record<string, string> = {
	".png": "image/png",
	".jpg": "image/jpeg",
	".jpeg": "image/jpeg",
	".webp": "image/webp",
	".gif": "image/gif",
	".avif": "image/avif",
	".tif": "image/tiff",
	".tiff": "image/tiff",
	".svg": "image/svg+xml",
	".pdf": "application/pdf",
};

async function sendFile(response: ServerResponse, { file, name }: { file: string; name: string }): Promise<void> {
	const handle = await open(file).catch((error: unknown) => {
		throw new HttpError(404, "no-file", "the file of this evidence is gone", "Build the index anew.", { cause: error });
	});
	try {
		const { size } = await handle.stat();
		const type = shownTypes[extname(file).toLowerCase()];
		response.writeHead(200, {
			...careful,
			"content-type": type ?? "application/octet-stream",
			"content-length": size,
			"content-disposition": `${type ? "inline" : "attachment"}; filename="${name}"`,
		});
		if (response.req.method === "HEAD") response.end();
		else await pipeline(handle.createReadStream({ autoClose: false, end: Math.max(size - 1, 0) }), response);
	} finally {
		await handle.close();
	}
}
