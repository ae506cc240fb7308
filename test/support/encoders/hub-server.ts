/** A server on loopback that answers as the public hub does, for what fetches models. */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type JsonServer, jsonServer } from "./json-server.ts";

export const commit = "0123456789abcdef0123456789abcdef01234567";

export interface Behaviour {
	/** Bytes of a file that are sent before the connection breaks, by how often it was asked for. */
	breakAfter?: (file: string, times: number) => number | undefined;
	/** Bytes sent in place of a file. */
	instead?: Record<string, Buffer>;
	ranges?: boolean;
	description?: object;
	/** Large files are pointed to at another address, as the hub points to its storage. */
	redirects?: boolean;
}

async function longestPart(folder: string): Promise<number> {
	const names = await readdir(folder, { recursive: true }).catch(() => []);
	const parts = names.filter((name) => name.endsWith(".part"));
	return Math.max(0, ...(await Promise.all(parts.map(async (name) => (await stat(join(folder, name))).size))));
}

/** Serves one set of files as the repositories `ids`; a break waits until what was sent has reached `cacheDir`. */
export async function hubServer(
	files: Record<string, Buffer>,
	{
		ids,
		cacheDir,
		breakAfter,
		instead = {},
		ranges = true,
		description,
		redirects = false,
	}: Behaviour & { ids: string[]; cacheDir: string },
): Promise<JsonServer> {
	const times = new Map<string, number>();
	return jsonServer((asked, _n, response) => {
		if (asked.path.startsWith("/api/models/")) {
			if (!ids.some((id) => asked.path.startsWith(`/api/models/${id}/`)))
				return { status: 404, json: { error: "Repository not found" } };
			const siblings = Object.entries(files).map(([rfilename, bytes]) => ({
				rfilename,
				size: bytes.length,
				...(rfilename.endsWith(".onnx") && {
					lfs: { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length, pointerSize: 133 },
				}),
			}));
			return description ?? { sha: commit, siblings };
		}
		const name = decodeURIComponent(asked.path.split(`/${commit}/`)[1] ?? "");
		const whole = instead[name] ?? files[name];
		if (!whole) return { status: 404, raw: "" };
		if (redirects && name.endsWith(".onnx") && !asked.path.startsWith("/storage/"))
			return { status: 302, raw: "", headers: { location: `/storage/${commit}/${name}` } };
		const count = (times.get(name) ?? 0) + 1;
		times.set(name, count);
		const from = ranges ? Number(/^bytes=(\d+)-$/.exec(asked.headers.range ?? "")?.[1] ?? 0) : 0;
		response.writeHead(from > 0 ? 206 : 200, { "content-length": whole.length - from });
		const most = breakAfter?.(name, count);
		if (most === undefined) response.end(whole.subarray(from));
		else
			response.write(whole.subarray(from, from + most), async () => {
				// Once what was sent has reached the disk.
				await expect.poll(() => longestPart(cacheDir), { interval: 5 }).toBeGreaterThanOrEqual(from + most);
				response.destroy();
			});
		return undefined;
	});
}
