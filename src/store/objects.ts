import { type FileHandle, open } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { HopscopeError, usageError } from "#domain";
import { pathOnDisk } from "./disk-path.ts";
import { sha256 } from "./hash.ts";

/*
 * Object storage that speaks S3, by signed HTTP requests in path style: what Hopscope itself keeps there. Keys and the
 * endpoint come from the variables that every such client reads, and are in no message: of an answer only its status and
 * the store's own code are told.
 */

export type StorageEnvironment = Readonly<Record<string, string | undefined>>;

/** `s3://BUCKET/PATH`, in parts. */
export interface Address {
	bucket: string;
	/** Without slashes at its ends. */
	path: string;
}

export interface StoredObject {
	/** Relative to the prefix that was listed. */
	name: string;
	size: number;
}

/** The objects below an address. */
export interface Objects {
	/** All of them, or those below a folder, in order of name. */
	list(folder?: string): Promise<StoredObject[]>;
	/** Whole and unchanged by the way; undefined where there is no such object. */
	read(name: string): Promise<{ bytes: Buffer; tag: string } | undefined>;
	/** False where a condition is not met: `absent`, that there is none, or that it is still what bears this `tag`. */
	write(name: string, bytes: Uint8Array, condition?: { absent: true } | { tag: string }): Promise<boolean>;
	/** A file of any size. */
	writeFile(name: string, file: string): Promise<void>;
	remove(name: string): Promise<void>;
}

/** Whether a name is an address of object storage. */
export const isStorage = (text: string): boolean => /^s3:\/\//i.test(text);

/** Whether a name is an address of a search engine. */
export const isService = (text: string): boolean => /^https?:\/\//i.test(text);

/** Whether a name is an address at all and no folder. */
export const isAddress = (text: string): boolean => isStorage(text) || isService(text);

/** An address in its one form, or an error that says what is wrong with it. */
export function addressIn(text: string): Address {
	const [, bucket, rest = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/i.exec(text) ?? [];
	const parts = rest.split("/").filter((part) => part !== "");
	const isPlain = parts.length > 0 && parts.every((part) => /^[\w.@+=-]+$/.test(part) && !/^\.+$/.test(part));
	if (bucket === undefined || bucket.includes("..") || !isPlain)
		throw usageError(
			"bad-address",
			`"${text}" is no address of object storage`,
			"Write s3://BUCKET/PATH, with a path of letters, digits, dots, dashes and underscores.",
		);
	return { bucket, path: parts.join("/") };
}

export const addressText = ({ bucket, path }: Address): string => `s3://${bucket}/${path}`;

/** Keys, region and endpoint, as the engine takes them too. */
export interface StorageAccess {
	endpoint: string;
	region: string;
	accessKeyId: string;
	secretAccessKey: string;
	sessionToken?: string;
}

/** What the environment says of object storage; without keys, or with an endpoint that is unsafe, an error. */
export function storageAccess(environment: StorageEnvironment): StorageAccess {
	const said = (...names: string[]) => names.map((name) => environment[name]?.trim()).find((value) => value);
	const [accessKeyId, secretAccessKey] = [said("AWS_ACCESS_KEY_ID"), said("AWS_SECRET_ACCESS_KEY")];
	if (!accessKeyId || !secretAccessKey)
		throw usageError(
			"no-storage-keys",
			"object storage is named, and no keys of it",
			"Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL where the store is not Amazon's.",
		);
	const region = said("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1";
	const given = said("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? `https://s3.${region}.amazonaws.com`;
	const url = URL.canParse(given) ? new URL(given) : undefined;
	const isOpen = url?.protocol === "http:" && !isLoopback(url.hostname) && said("AWS_ALLOW_HTTP") !== "true";
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash || isOpen)
		throw usageError(
			"bad-endpoint",
			isOpen ? `${url.origin} is not encrypted` : "AWS_ENDPOINT_URL is no address of a server",
			isOpen
				? "Use https://, or set AWS_ALLOW_HTTP=true in a network that nobody else reads."
				: "Write it as https://HOST or http://127.0.0.1:PORT, without keys in it.",
		);
	const sessionToken = said("AWS_SESSION_TOKEN");
	return {
		endpoint: url.href.replace(/\/+$/, ""),
		region,
		accessKeyId,
		secretAccessKey,
		...(sessionToken ? { sessionToken } : {}),
	};
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** Up to this much is one request; more goes in parts of this size. */
const partBytes = 32 << 20;
const atOnce = 4;
const attempts = 6;
const patience = 120_000;

/** `closing` ends what is asked for, with its reason. */
export function openObjects(address: Address, access: StorageAccess, closing?: AbortSignal): Objects {
	const { endpoint, ...keys } = access;
	let signing: Promise<import("aws4fetch").AwsClient> | undefined;
	/** Loaded when something is first asked for: nearly nobody names an address. */
	const signer = () => {
		signing ??= import("aws4fetch").then(({ AwsClient }) => new AwsClient({ ...keys, service: "s3" }));
		return signing;
	};
	const bucket = `${endpoint}/${address.bucket}`;
	const urlOf = (name: string) => `${bucket}/${address.path}/${name.split("/").map(encodeURIComponent).join("/")}`;

	/** Once more where the store is busy or the connection broke, each time later. What it says is read whole. */
	async function ask(
		url: string,
		{ what, allow = [], ...init }: RequestInit & { what: string; allow?: number[] },
	): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
		let reason = "";
		for (let attempt = 1; ; attempt += 1) {
			try {
				const request = await (await signer()).sign(url, init);
				const limit = AbortSignal.timeout(patience);
				const signal = closing ? AbortSignal.any([closing, limit]) : limit;
				const response = await fetch(request, { redirect: "manual", signal });
				const bytes = Buffer.from(await response.arrayBuffer());
				const { status, headers } = response;
				// some stores say that an upload failed in an answer that says it went well
				const failed = status === 200 && init.method === "POST" && /<Error>/.test(bytes.toString());
				if ((response.ok && !failed) || allow.includes(status)) return { status, headers, bytes };
				const code = /<Code>(\w{1,60})<\/Code>/.exec(bytes.toString("utf8", 0, 4000))?.[1];
				reason = `${status}${code ? ` ${code}` : ""}`;
				if (!failed && status < 500 && status !== 429 && status !== 408) throw refused(what, reason, status);
			} catch (error) {
				if (error instanceof HopscopeError) throw error;
				reason = reasonOf(error);
			}
			if (attempt === attempts) break;
			await setTimeout(100 * 2 ** attempt * (0.5 + Math.random()), undefined, { signal: closing }).catch(
				() => undefined,
			);
			closing?.throwIfAborted();
		}
		throw new HopscopeError(
			"object-storage",
			`${what}: ${reason}, ${attempts} times`,
			"Try again once the store is well; what was put there so far is not put there again.",
			{ facts: { address: addressText(address), reason } },
		);
	}

	const put = (name: string, body: Uint8Array, headers: Record<string, string> = {}, allow: number[] = []) =>
		ask(urlOf(name), {
			what: `${addressText(address)}/${name} could not be written`,
			method: "PUT",
			body: body as Uint8Array<ArrayBuffer>,
			headers: { ...headers, "x-amz-content-sha256": sha256(body) },
			allow,
		});

	async function writeParts(name: string, handle: FileHandle, size: number): Promise<void> {
		const what = `${addressText(address)}/${name} could not be written`;
		const begun = await ask(`${urlOf(name)}?uploads=`, { what, method: "POST" });
		const id = textIn(begun.bytes.toString(), "UploadId");
		if (id === undefined) throw refused(what, "the store began no upload", 200);
		const upload = `uploadId=${encodeURIComponent(id)}`;
		const count = Math.ceil(size / partBytes);
		const tags: string[] = [];
		let next = 0;
		const work = async () => {
			while (next < count) {
				const part = next++;
				const bytes = await readAt(handle, part * partBytes, Math.min(partBytes, size - part * partBytes));
				const url = `${urlOf(name)}?partNumber=${part + 1}&${upload}`;
				const headers = { "x-amz-content-sha256": sha256(bytes) };
				tags[part] = (await ask(url, { what, method: "PUT", body: bytes, headers })).headers.get("etag") ?? "";
			}
		};
		try {
			await Promise.all(Array.from({ length: atOnce }, work));
			const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
			const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
			await ask(`${urlOf(name)}?${upload}`, { what, method: "POST", body });
		} catch (error) {
			next = count;
			await ask(`${urlOf(name)}?${upload}`, { what, method: "DELETE", allow: [404] }).catch(() => undefined);
			throw error;
		}
	}

	return {
		async list(folder = "") {
			const prefix = `${address.path}/${folder === "" ? "" : `${folder}/`}`;
			const found: StoredObject[] = [];
			for (let token: string | undefined; ; ) {
				const query = new URLSearchParams({ "list-type": "2", prefix });
				if (token !== undefined) query.set("continuation-token", token);
				const what = `${addressText(address)} could not be listed`;
				const text = (await ask(`${bucket}?${query}`, { what })).bytes.toString();
				for (const [, one = ""] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
					const key = textIn(one, "Key") ?? "";
					if (key.startsWith(prefix)) found.push({ name: key.slice(prefix.length), size: Number(textIn(one, "Size")) });
				}
				token = textIn(text, "NextContinuationToken");
				if (token === undefined || textIn(text, "IsTruncated") !== "true") break;
			}
			return found.sort((a, b) => (a.name < b.name ? -1 : 1));
		},
		async read(name) {
			const what = `${addressText(address)}/${name} could not be read`;
			const { status, headers, bytes } = await ask(urlOf(name), { what, allow: [404] });
			return status === 404 ? undefined : { bytes, tag: headers.get("etag") ?? "" };
		},
		async write(name, bytes, condition) {
			const headers: Record<string, string> = {};
			if (condition)
				headers["absent" in condition ? "if-none-match" : "if-match"] = "absent" in condition ? "*" : condition.tag;
			const { status } = await put(name, bytes, headers, condition ? [409, 412] : []);
			return status < 400;
		},
		async writeFile(name, file) {
			const handle = await open(pathOnDisk(file));
			try {
				const { size } = await handle.stat();
				if (size <= partBytes) await put(name, await readAt(handle, 0, size));
				else await writeParts(name, handle, size);
			} finally {
				await handle.close();
			}
		},
		async remove(name) {
			const what = `${addressText(address)}/${name} could not be removed`;
			await ask(urlOf(name), { what, method: "DELETE", allow: [404] });
		},
	};
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer<ArrayBuffer>> {
	const bytes = Buffer.alloc(length);
	for (let done = 0; done < length; ) {
		const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
		if (bytesRead === 0)
			throw new HopscopeError("file-changed", "a file became shorter while it was read", "Try again.");
		done += bytesRead;
	}
	return bytes;
}

/** The text of the first element of that name; entities are resolved, and nothing else of XML is needed. */
function textIn(xml: string, name: string): string | undefined {
	const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
	const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
	return text?.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named) => {
		if (named !== undefined) return entities[named] ?? whole;
		return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
	});
}

const remedies: Record<number, string> = {
	301: "Set AWS_REGION to the bucket's region, or AWS_ENDPOINT_URL to its endpoint.",
	307: "Set AWS_REGION to the bucket's region, or AWS_ENDPOINT_URL to its endpoint.",
	403: "Check the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, what they may do there, and this machine's clock.",
	404: "Check the bucket's name, and AWS_ENDPOINT_URL.",
};

const refused = (what: string, reason: string, status: number) =>
	usageError("object-storage", `${what}: ${reason}`, remedies[status] ?? "Check the address and AWS_ENDPOINT_URL.");

/** What broke, without addresses. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return "no answer";
	const cause = error.cause as NodeJS.ErrnoException | undefined;
	return cause?.code ?? (error.name === "TimeoutError" ? "no answer in time" : (cause?.message ?? error.message));
}
