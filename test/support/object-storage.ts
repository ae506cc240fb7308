/**
 * Object storage on loopback that speaks what is used of S3, in path style: GET with ranges, HEAD, PUT with conditions,
 * DELETE, ListObjectsV2, uploads in parts. It checks every signature (version 4) by its own reckoning, and the hash of
 * every body that names one. Faults are what a test says.
 */
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to a request instead, or to its answer. */
export type Fault = "slow down" | "reset" | "truncate" | undefined;

export interface ObjectStorage {
	environment: Record<string, string>;
	/** By `BUCKET/KEY`. */
	objects: Map<string, Buffer>;
	requests: { method: string; key: string; range: boolean }[];
	/** Asked of each request that is signed rightly, which waits for the answer. */
	fault: (request: { method: string; key: string; count: number }) => Fault | Promise<Fault>;
	/** How many requests have come and not been answered. */
	unanswered(): number;
	close(): Promise<void>;
}

const keys = { id: "TESTKEYID", secret: "test/secret+key" };
/** Objects of one page of a list: few, so that lists have several. */
const pageSize = 20;

export async function objectStorage(): Promise<ObjectStorage> {
	const objects = new Map<string, Buffer>();
	const uploads = new Map<string, Map<number, Buffer>>();
	let open = 0;
	const server = createServer((request, response) => {
		open += 1;
		answer(request, response)
			.catch(() => response.destroy())
			.finally(() => {
				open -= 1;
			});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const storage: ObjectStorage = {
		environment: {
			AWS_ACCESS_KEY_ID: keys.id,
			AWS_SECRET_ACCESS_KEY: keys.secret,
			AWS_REGION: "test-1",
			AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		},
		objects,
		requests: [],
		fault: () => undefined,
		unanswered: () => open,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
	let count = 0;

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = "GET", headers } = request;
		const url = new URL(request.url ?? "/", "http://storage");
		const key = decodeURIComponent(url.pathname).slice(1);
		const body = await bodyOf(request);
		const problem = signatureProblem(request, url) ?? bodyProblem(headers["x-amz-content-sha256"], body);
		if (problem) return refuse(response, 403, problem);
		count += 1;
		storage.requests.push({ method, key, range: headers.range !== undefined });
		const fault = await storage.fault({ method, key, count });
		if (fault === "slow down") return refuse(response, 503, "SlowDown");
		if (fault === "reset") return void request.socket.resetAndDestroy();
		if (method === "GET" && url.searchParams.has("list-type")) return list(key.replace(/\/$/, ""), url, response);
		if (method === "POST" && url.searchParams.has("uploads")) {
			const id = `upload&${uploads.size}`;
			uploads.set(id, new Map());
			return xml(response, `<UploadId>${escaped(id)}</UploadId>`);
		}
		const upload = url.searchParams.get("uploadId");
		if (upload !== null) return part(upload, { method, key, url, body, response });
		if (method === "PUT") return put(key, body, request, response);
		const held = objects.get(key);
		if (method === "DELETE") {
			objects.delete(key);
			return void response.writeHead(204).end();
		}
		if (!held) return refuse(response, 404, "NoSuchKey");
		give(held, request, response, fault);
	}

	function list(bucket: string, url: URL, response: ServerResponse): void {
		const prefix = `${bucket}/${url.searchParams.get("prefix") ?? ""}`;
		const delimiter = url.searchParams.get("delimiter");
		const start =
			url.searchParams.get("continuation-token") ?? `${bucket}/${url.searchParams.get("start-after") ?? ""}`;
		const names = [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
		const folders = new Set<string>();
		const plain: string[] = [];
		for (const name of names) {
			const end = delimiter ? name.indexOf(delimiter, prefix.length) : -1;
			if (end === -1) plain.push(name);
			else folders.add(name.slice(0, end + 1));
		}
		const left = plain.filter((name) => name > start);
		const page = left.slice(0, pageSize);
		const inBucket = (name: string) => escaped(name.slice(bucket.length + 1));
		const contents = page.map((name) => {
			const bytes = objects.get(name) ?? Buffer.alloc(0);
			return `<Contents><Key>${inBucket(name)}</Key><Size>${bytes.length}</Size><ETag>${escaped(tagOf(bytes))}</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`;
		});
		const common = [...folders].map((name) => `<CommonPrefixes><Prefix>${inBucket(name)}</Prefix></CommonPrefixes>`);
		const more = left.length > page.length;
		const next = more ? `<NextContinuationToken>${escaped(page.at(-1) ?? "")}</NextContinuationToken>` : "";
		xml(
			response,
			`<ListBucketResult><Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}${common.join("")}</ListBucketResult>`,
		);
	}

	function put(key: string, body: Buffer, { headers }: IncomingMessage, response: ServerResponse) {
		const held = objects.get(key);
		const { "if-none-match": none, "if-match": match } = headers;
		const stands = (none !== "*" || !held) && (match === undefined || (held && match === tagOf(held)));
		if (!stands) return refuse(response, 412, "PreconditionFailed");
		objects.set(key, body);
		response.writeHead(200, { etag: tagOf(body) }).end();
	}

	function part(
		upload: string,
		{
			method,
			key,
			url,
			body,
			response,
		}: { method: string; key: string; url: URL; body: Buffer; response: ServerResponse },
	) {
		const parts = uploads.get(upload);
		if (!parts) return refuse(response, 404, "NoSuchUpload");
		if (method === "PUT") {
			parts.set(Number(url.searchParams.get("partNumber")), body);
			return void response.writeHead(200, { etag: tagOf(body) }).end();
		}
		uploads.delete(upload);
		if (method === "DELETE") return void response.writeHead(204).end();
		const asked = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
		const bytes = asked.map(([, number, tag]) => {
			const one = parts.get(Number(number));
			return one && tagOf(one) === tag?.replaceAll("&quot;", '"') ? one : undefined;
		});
		if (bytes.length === 0 || bytes.includes(undefined)) return refuse(response, 400, "InvalidPart");
		objects.set(key, Buffer.concat(bytes as Buffer[]));
		xml(response, `<CompleteMultipartUploadResult><Key>${escaped(key)}</Key></CompleteMultipartUploadResult>`);
	}

	return storage;
}

function give(held: Buffer, { method, headers }: IncomingMessage, response: ServerResponse, fault: Fault) {
	const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
	const last = held.length - 1;
	const start = from ? Number(from) : to ? held.length - Number(to) : 0;
	const end = from && to ? Math.min(Number(to), last) : last;
	if (headers.range !== undefined && start > last) return refuse(response, 416, "InvalidRange");
	const bytes = held.subarray(start, end + 1);
	const about = {
		"content-length": String(bytes.length),
		etag: tagOf(held),
		"last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
		...(headers.range === undefined ? {} : { "content-range": `bytes ${start}-${end}/${held.length}` }),
	};
	response.writeHead(headers.range === undefined ? 200 : 206, about);
	if (method === "HEAD") return void response.end();
	if (fault !== "truncate") return void response.end(bytes);
	response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}

const tagOf = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function xml(response: ServerResponse, inner: string): void {
	response.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0" encoding="UTF-8"?>${inner}`);
}

function refuse(response: ServerResponse, status: number, code: string): void {
	response.writeHead(status, { "content-type": "application/xml" });
	response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	return Buffer.concat(parts);
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");

function bodyProblem(named: string | string[] | undefined, body: Buffer): string | undefined {
	if (typeof named !== "string" || !/^[0-9a-f]{64}$/.test(named)) return undefined;
	return sha256(body) === named ? undefined : "XAmzContentSHA256Mismatch";
}

/** As the documents of Signature Version 4 have it. */
function signatureProblem({ method = "", headers, url: asked = "" }: IncomingMessage, url: URL): string | undefined {
	const [, id, day, region, signed = "", signature] =
		/^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
			headers.authorization ?? "",
		) ?? [];
	if (id !== keys.id || !day || !region) return "AccessDenied";
	const strict = (text: string) =>
		encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
	const path = (asked.split("?")[0] ?? "").split("/").map((part) => strict(decodeURIComponent(part)));
	const query = [...url.searchParams].map(([name, value]) => `${strict(name)}=${strict(value)}`).sort();
	const canonical = [
		...[method, path.join("/"), query.join("&")],
		...signed.split(";").map(
			(name) =>
				`${name}:${String(headers[name] ?? "")
					.trim()
					.replace(/\s+/g, " ")}`,
		),
		...["", signed, String(headers["x-amz-content-sha256"])],
	].join("\n");
	const scope = `${day}/${region}/s3/aws4_request`;
	const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n");
	const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();
	const key = [region, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${keys.secret}`, day));
	return hmac(key, text).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}
