import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { clip, HopscopeError, usageError } from "#domain";
import type { Filter } from "../query.ts";
import { rankedToTheTie } from "../ranked.ts";
import { type ConnectionOf, type Environment, isLoopback, plainAddress, withVariables } from "./connection.ts";
import { type Engine, type Hit, vectorIndex, wordIndex } from "./engine.ts";
import { filtersOf } from "./filters.ts";
import { hitsOf } from "./hits.ts";
import { openQueryEncoder, type QueryEncoder } from "./query-vector.ts";

/** Queries at the same time: each takes a connection, of which a server has a hundred for everybody. */
const atOnce = 4;
const attempts = 5;

/**
 * A table of PostgreSQL: by the cosine of pgvector where an encoder is named, and by PostgreSQL's own full text search, in
 * which a passage need hold only some of the words. Nothing is written: sessions are read-only.
 */
export async function openPostgres(connection: ConnectionOf<"pgvector">, environment: Environment): Promise<Engine> {
	const { fields, vector, encoder, words = "english", table } = connection;
	if ((encoder === undefined) !== (vector === undefined))
		throw usageError(
			"bad-connection",
			`pgvector needs ${encoder === undefined ? "the encoder of its vectors" : "the column of the vectors"}`,
			"Name both encoder and vector, or neither, and words are searched.",
		);
	const { ask, close } = await openSessions(connection, environment);
	const from = `${plainAddress(connection.address)}/${table}`;
	const place = table.split(".").map(quoted).join(".");
	const columns = Object.entries(fields).flatMap(([name, column]) =>
		column === undefined ? [] : [`${quoted(column)}::text AS ${quoted(name)}`],
	);
	const picked = columns.join(", ");
	const title = fields.title === undefined ? "''" : `coalesce(${quoted(fields.title)}, '')`;
	const text = `to_tsvector('${words}', ${title} || ' ' || ${quoted(fields.text)})`;
	let vectors: QueryEncoder | undefined;
	try {
		vectors = encoder === undefined ? undefined : await openQueryEncoder(encoder);
		const [about] = await ask(
			`SELECT current_setting('server_version') AS server, (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector, (SELECT count(*)::float8 FROM ${place}) AS passages`,
		);
		const passages = Number(about?.passages);
		const version = String(about?.server);
		// a column that is not there is told now and not with the first question
		await ask(
			`SELECT ${picked}${vector === undefined ? "" : `, ${quoted(vector)} <=> ${quoted(vector)}`} FROM ${place} LIMIT 1`,
		);
		const own: QueryEncoder | undefined = vectors;

		const hits = (rows: readonly Row[], k: number): Hit[] => hitsOf(rows, { fields: asNamed, k, from });
		const scoredHits = (rows: readonly Row[], k: number) =>
			hits(rows, k).map((hit) => ({ ...hit, score: hit.score ?? 0 }));
		const where = (filter: Filter | undefined, given: unknown[]) =>
			filtersOf(filter, fields, from).map(({ field, values }) => {
				given.push(JSON.stringify(values));
				return `${quoted(field)}::text IN ${listed(given.length)}`;
			});
		return {
			said: { version, ...(about?.vector ? { pgvector: String(about.vector) } : {}), documents: passages },
			passages,
			indexes: [wordIndex("postgres", version), ...(own ? [vectorIndex(own.about)] : [])],
			search({ text: asked, k, mode, filter }) {
				if (mode === "dense" && own && vector !== undefined) {
					const given: unknown[] = [];
					const conditions = where(filter, given);
					return rankedToTheTie(k, async (limit) => {
						const query = `[${(await own.encode(asked)).join(",")}]`;
						const distance = `${quoted(vector)} <=> $${given.length + 1}::vector`;
						const nearest = `SELECT ${picked}, 1 - (${distance}) AS score FROM ${place}${whereAll(conditions)} ORDER BY ${distance} LIMIT $${given.length + 2}`;
						return scoredHits(await ask(nearest, [...given, query, limit]), limit);
					});
				}
				const given: unknown[] = [asked];
				const conditions = [`${text} @@ asked.words`, ...where(filter, given)];
				const lexemes = `SELECT (SELECT string_agg(quote_literal(lexeme), ' | ') FROM unnest(to_tsvector('${words}', $1)))::tsquery AS words`;
				const rank = `ts_rank_cd(${text}, asked.words)::float8`;
				const best = `WITH asked AS (${lexemes}) SELECT ${picked}, ${rank} AS score FROM ${place}, asked${whereAll(conditions)} ORDER BY score DESC LIMIT $${given.length + 1}`;
				return rankedToTheTie(k, async (limit) => scoredHits(await ask(best, [...given, limit]), limit));
			},
			byIds: async (ids) =>
				hits(
					await ask(`SELECT ${picked} FROM ${place} WHERE ${quoted(fields.id)}::text IN ${listed(1)}`, [
						JSON.stringify(ids),
					]),
					ids.length,
				),
			async ofDocument(name, most) {
				if (fields.document === undefined) return [];
				const condition = `${quoted(fields.document)}::text = $1`;
				return hits(await ask(`SELECT ${picked} FROM ${place} WHERE ${condition} LIMIT $2`, [name, most]), most);
			},
			async close() {
				await own?.close();
				await close();
			},
		};
	} catch (error) {
		await vectors?.close();
		await close();
		throw error;
	}
}

type Row = Readonly<Record<string, unknown>>;

/** Columns come under the fields' own names. */
const asNamed = {
	...{ id: "id", text: "text", title: "title", document: "document", language: "language" },
	...{ section: "section", address: "address", score: "score" },
};

/** A list goes as one text: the driver is not told of types. */
const listed = (parameter: number) => `(SELECT jsonb_array_elements_text($${parameter}::text::jsonb))`;

const whereAll = (conditions: readonly string[]) => (conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "");

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function openSessions(connection: ConnectionOf<"pgvector">, environment: Environment) {
	const { text: address, secrets } = withVariables(connection.address, environment, encodeURIComponent);
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url?.hostname)
		throw usageError(
			"bad-connection",
			"the address cannot be read",
			"Write postgres://USER:$PGPASSWORD@HOST/DATABASE.",
		);
	const { default: postgres } = await import("postgres").catch((cause: unknown) => {
		throw new HopscopeError("missing-package", "the package postgres is not installed", "npm install postgres", {
			cause,
		});
	});
	const ms = connection.timeout * 1000;
	const sql: Sql = postgres(address, {
		max: atOnce,
		connect_timeout: connection.timeout,
		idle_timeout: 20,
		fetch_types: false,
		onnotice: () => {},
		// an open line is taken within this machine alone, or where the connection says so
		ssl: connection.unencrypted || isLoopback(url.hostname) ? false : "verify-full",
		connection: { application_name: "hopscope", default_transaction_read_only: true, statement_timeout: ms },
	});
	const place = plainAddress(connection.address);
	const without = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);

	async function ask(query: string, given: unknown[] = []): Promise<readonly Row[]> {
		for (let attempt = 1; ; attempt += 1) {
			const asked = sql.unsafe(query, given as never[]);
			const timer = setTimeout(() => asked.cancel(), ms);
			try {
				return await asked;
			} catch (error) {
				const { code = "", message } = error as Error & { code?: string };
				const told = clip(without(message), 300);
				if (!passes(code))
					throw usageError("search-engine", `${place} refuses: ${told}`, remedies[code] ?? "Check the connection.", {
						facts: { code },
					});
				if (attempt === attempts)
					throw new HopscopeError("search-engine", `${place} does not answer: ${told}`, "Try again once it is well.");
				await sleep(100 * 2 ** attempt * (0.5 + Math.random()));
			} finally {
				clearTimeout(timer);
			}
		}
	}
	return { ask, close: () => sql.end({ timeout: 1 }).catch(() => undefined) };
}

/** What may be otherwise in a moment: connections that broke or were not given, a server that starts, a lock. */
const passes = (code: string) =>
	/^(?:08|53|57P0[123]|40001|40P01|CONNECT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN)/.test(code);

const remedies: Record<string, string> = {
	"28P01": "Check the user and the variable that holds the password.",
	"42P01": "Check the connection's table; write SCHEMA.TABLE where it is not in the search path.",
	"42703": "Check the connection's fields and vector: they name columns of the table.",
	"42883": "The vector column has to be of pgvector's type.",
	"57014": "It took longer than the connection's timeout: raise it, or put an index on what is searched.",
	"22000": "The encoder gives vectors of another length than the table's: name the encoder that made those.",
};
