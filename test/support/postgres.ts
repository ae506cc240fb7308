/** PostgreSQL with pgvector on loopback: PGlite in this process, which speaks the wire protocol to one client at a time. */
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

export interface Postgres {
	address: string;
	/** Statements past the socket, as whoever owns the tables. */
	run(sql: string, given?: unknown[]): Promise<void>;
	close(): Promise<void>;
}

export async function postgres(): Promise<Postgres> {
	const db = await PGlite.create({ extensions: { vector } });
	await db.exec("CREATE EXTENSION vector");
	const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 20 });
	await server.start();
	return {
		address: `postgres://postgres:$PGPASSWORD@${server.getServerConn()}/postgres`,
		run: async (sql, given) => void (await db.query(sql, given)),
		async close() {
			await server.stop();
			await db.close();
		},
	};
}

export interface TableRow {
	id: string;
	title: string;
	body: string;
	source: string;
	lang: string;
}

/** Puts passages with their vectors into a table `passages`. */
export async function fillPassages(
	to: Postgres,
	rows: readonly TableRow[],
	vectors: readonly Float32Array[],
): Promise<void> {
	const dimensions = vectors[0]?.length ?? 1;
	await to.run(
		`CREATE TABLE passages (key text PRIMARY KEY, title text, body text, source text, lang text, embedding vector(${dimensions}))`,
	);
	for (const [at, { id, title, body, source, lang }] of rows.entries())
		await to.run("INSERT INTO passages VALUES ($1, $2, $3, $4, $5, $6::vector)", [
			...[id, title, body, source, lang],
			`[${[...(vectors[at] ?? [])].join(",")}]`,
		]);
}
