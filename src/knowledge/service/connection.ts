import { join } from "node:path";
import { z } from "zod";
import { freeRecord, HopscopeError, Json, usageError } from "#domain";
import { readJson } from "#store";

/** What of a workspace's `knowledge/NAME` is a search engine elsewhere: how it is asked. Secrets are `$NAME`s in it. */
export const connectionName = "connection.json";

/** Where a field stands: a path such as `document.contents`, or several, of which the first that is there counts. */
const Path = z.string().min(1).max(200);
const Field = z.union([Path, z.array(Path).min(1).max(20)]);

const Fields = z.strictObject({
	/** Tells passages apart. Without it the service's usual names are tried; `sha256` makes it of the text. */
	id: Field.optional(),
	text: Field.optional(),
	title: Field.optional(),
	/** The document that a passage is of: an id of passages that is its document's goes here. */
	document: Field.optional(),
	language: Field.optional(),
	section: Field.optional(),
	/** Where it can be read: an address or a file. */
	address: Field.optional(),
	score: Field.optional(),
});
export type Fields = z.infer<typeof Fields>;

const column = z.string().regex(/^[A-Za-z_][\w$]{0,62}$/, "must be a name of letters, digits and underscores");
const Columns = z.strictObject({
	id: column.default("id"),
	text: column.default("text"),
	title: column.optional(),
	document: column.optional(),
	language: column.optional(),
	section: column.optional(),
	address: column.optional(),
});

const web = z
	.string()
	.max(2000)
	.refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), "must be http://… or https://…")
	.refine(
		(text) => !URL.canParse(text) || (new URL(text).username === "" && new URL(text).password === ""),
		"must hold no name or password: say them in headers, by the $NAME of a variable",
	);

const common = {
	/** Sent with every request; a value may name variables of the environment, e.g. `Bearer $SEARCH_KEY`. */
	headers: freeRecord(z.string().max(2000)).optional(),
	/** Seconds until one request is given up. */
	timeout: z.number().positive().max(600).default(30),
	/** Whether secrets may go over http:// to another machine, as in a network that nobody else reads. */
	unencrypted: z.boolean().optional(),
};

/** Query vectors: which encoder makes them, and where the passages' own stand. */
const vectors = {
	/** As `hopscope index --text-encoder` names it: the one that the vectors were made with. */
	encoder: z.string().min(1).max(500).optional(),
	/** Field, column or named vector that holds them. */
	vector: z.string().min(1).max(200).optional(),
	/** How it is searched where nothing is said: with an encoder words and vectors together, where it has both. */
	mode: z.enum(["lexical", "dense", "hybrid"]).optional(),
};

/** A search engine elsewhere, as a connection file says how it is asked. */
export const Connection = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("hopscope"), address: web, ...common }),
	z.strictObject({
		kind: z.literal("http"),
		address: web,
		...common,
		method: z.enum(["POST", "GET"]).default("POST"),
		/** The body, or the query of a GET; `"{query}"` and `"{k}"` stand for what is asked. */
		request: freeRecord(Json).optional(),
		/** Path of the list of results. */
		results: Path.optional(),
		fields: Fields.default({}),
		/** Where one passage is had by its id, e.g. `https://host/passages/{id}`. */
		lookup: web.optional(),
	}),
	z.strictObject({
		kind: z.enum(["elasticsearch", "opensearch"]),
		address: web,
		...common,
		...vectors,
		index: z.string().min(1).max(255),
		/** A query of the engine's own language instead of words in title and text. */
		query: freeRecord(Json).optional(),
		fields: Fields.default({}),
	}),
	z.strictObject({
		kind: z.literal("qdrant"),
		address: web,
		...common,
		...vectors,
		encoder: vectors.encoder.unwrap(),
		collection: z.string().min(1).max(255),
		fields: Fields.default({}),
	}),
	z.strictObject({
		kind: z.literal("pgvector"),
		/** `postgres://USER:$PGPASSWORD@HOST/DATABASE`. */
		address: z
			.string()
			.max(2000)
			.regex(/^postgres(?:ql)?:\/\//, "must be postgres://…"),
		timeout: common.timeout,
		unencrypted: common.unencrypted,
		...vectors,
		table: z.string().regex(/^[A-Za-z_][\w$]{0,62}(\.[A-Za-z_][\w$]{0,62})?$/, "must be TABLE or SCHEMA.TABLE"),
		fields: Columns.default({ id: "id", text: "text" }),
		/** PostgreSQL's text search configuration for full text search. */
		words: column.optional(),
	}),
]);
export type Connection = z.infer<typeof Connection>;
export type ConnectionOf<Kind extends Connection["kind"]> = Extract<Connection, { kind: Kind }>;

/** The connection in a folder of knowledge bases. */
export async function readConnection(folder: string): Promise<Connection> {
	const file = join(folder, connectionName);
	return parseConnection(await readJson(file, z.unknown()), file);
}

/** What a person wrote; what is wrong with it is told by its place. */
export function parseConnection(written: unknown, file: string): Connection {
	const parsed = Connection.safeParse(written);
	if (!parsed.success) {
		const { path = [], message = "" } = parsed.error.issues[0] ?? {};
		throw usageError(
			"bad-connection",
			`${file}: ${path.length > 0 ? `${path.join(".")}: ` : ""}${message}`,
			"docs/guides/your-search-engine.md has a file for each kind of engine.",
		);
	}
	mustHoldNoSecret(parsed.data, file);
	return parsed.data;
}

/** A file in a workspace is shown, copied and committed; a key in it would be too. */
function mustHoldNoSecret(connection: Connection, file: string): void {
	const headers = "headers" in connection ? Object.entries(connection.headers ?? {}) : [];
	const named = headers.find(([name, value]) => secretHeader.test(name) && !variable.test(value))?.[0];
	// what stands before the @ may be anything that a file should not hold
	const password = /^\w+:\/\/[^/?#]*:([^/?#]*)@/.exec(connection.address)?.[1];
	const inQuery = /[?&](?:password|sslpassword)=/i.test(connection.address);
	if (named !== undefined || inQuery || (password !== undefined && !/^\$\{?\w+\}?$/.test(password)))
		throw usageError(
			"secret-in-file",
			`${file} holds what looks like a secret: ${named === undefined ? "a password in the address" : `the header "${named}"`}`,
			"Write $NAME in its place, and set the variable NAME.",
		);
}

const secretHeader = /authorization|key|token|secret|password|cookie/i;
const variable = /\$\{?([A-Za-z_]\w*)\}?/;
const variables = new RegExp(variable, "g");

export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with its variables filled in, and what they were. */
export function withVariables(
	text: string,
	environment: Environment,
	write: (value: string) => string = String,
): { text: string; secrets: string[] } {
	const secrets: string[] = [];
	const filled = text.replace(variables, (_, name: string) => {
		const value = environment[name]?.trim();
		if (!value) throw noVariable(name);
		secrets.push(value);
		return write(value);
	});
	return { text: filled, secrets };
}

/** Secrets over an open line are anyone's: within this machine alone. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/.test(host);

const noVariable = (name: string) =>
	usageError("no-secret", `the variable ${name} is not set`, `Set ${name}, which the connection names.`);

/** An address as records may hold it. */
export function plainAddress(address: string): string {
	try {
		const url = new URL(address);
		url.username = "";
		url.password = "";
		url.search = "";
		url.hash = "";
		return url.href.replace(/\/$/, "");
	} catch (cause) {
		throw new HopscopeError("bad-connection", "the address cannot be read", "Write it as http://HOST/PATH.", { cause });
	}
}
