import { extname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { sha256 } from "#store";
import { ComparedNextQuery, NextQuery, RowsQuery, TableFormat, TaskKey } from "#studio";
import type { Studio } from "#workbench";
import { HttpError } from "../http-error.ts";
import { type Answer, type Exchange, get, parsed, type Route, type ServerEvent } from "../route.ts";
import { thumbnail } from "./thumbnail.ts";

const remedy = "Reload the page; its address may be of another version.";
const number = z.coerce.number().int().min(0);
const Key = TaskKey.extend({ repeat: number.default(0) });
const Rows = RowsQuery.extend({ offset: number.default(0), limit: number.max(500).default(100) });
const step = z.coerce.number().int().min(-1).max(1);
const Next = NextQuery.omit({ from: true }).extend({
	...Key.shape,
	step,
	failures: z.enum(["true", "false"]).default("false"),
});
const Runs = z.object({ runs: z.string().max(4000) });
const ComparedRows = Rows.extend(Runs.shape);
const ComparedNext = ComparedNextQuery.extend({ ...Runs.shape, step, failures: Next.shape.failures });
const Messages = Key.extend({ offset: number.default(0), limit: number.max(200).default(50) });
const Tables = z.object({
	runs: z
		.string()
		.max(4000)
		.transform((names) => names.split(",").filter((name) => name !== "")),
});
const Copy = z.object({ table: z.string().max(200), format: TableFormat });
const Text = Key.extend({ message: number, part: number, offset: number.default(0) });

/** The data interface of the studio over HTTP: each answer by the schema of its page. */
export function dataRoutes(studio: Studio): Route[] {
	const given = <Given>(schema: z.ZodType<Given>, { query }: Exchange): Given =>
		parsed(schema, Object.fromEntries(query), remedy);
	const page = (path: string, make: (exchange: Exchange, run: string) => Promise<unknown>) =>
		get(path, async (exchange) => {
			const [run] = exchange.segments;
			return patiently(studio, run === undefined ? [] : [run], make(exchange, run ?? ""), exchange);
		});
	const comparison = <Query extends { runs: string }>(
		path: string,
		schema: z.ZodType<Query>,
		make: (runs: string[], query: Omit<Query, "runs">) => Promise<unknown>,
	) =>
		get(path, async (exchange) => {
			const { runs, ...query } = given(schema, exchange);
			const names = runs.split(",").filter((name) => name !== "");
			return patiently(studio, names, make(names, query), exchange);
		});
	return [
		page("/api/legend", () => studio.legend()),
		page("/api/runs", () => studio.runs()),
		page("/api/runs/*", (_, run) => studio.run(run)),
		page("/api/runs/*/rows", (exchange, run) => studio.rows(run, given(Rows, exchange))),
		page("/api/runs/*/task", (exchange, run) => studio.task(run, given(Key, exchange))),
		page("/api/runs/*/next", (exchange, run) => {
			const { task, repeat, failures, ...query } = given(Next, exchange);
			return studio.next(run, { ...query, from: { task, repeat }, failures: failures === "true" });
		}),
		page("/api/runs/*/messages", (exchange, run) => studio.messages(run, given(Messages, exchange))),
		page("/api/runs/*/text", (exchange, run) => studio.text(run, given(Text, exchange))),
		comparison("/api/compare", Runs, (runs) => studio.compare(runs)),
		comparison("/api/compare/rows", ComparedRows, (runs, query) => studio.comparedRows(runs, query)),
		comparison("/api/compare/next", ComparedNext, (runs, { failures, ...query }) =>
			studio.comparedNext(runs, { ...query, failures: failures === "true" }),
		),
		page("/api/tables", (exchange) => studio.tables(given(Tables, exchange).runs)),
		page("/api/tables/text", async (exchange) => {
			const { runs, table, format } = given(Tables.extend(Copy.shape), exchange);
			return textOf(await studio.tableText(runs, table, format));
		}),
		page("/api/runs/*/budget", (_, run) => studio.budget(run)),
		page("/api/runs/*/budget/text", async (exchange, run) => {
			const { table, format } = given(Copy, exchange);
			return textOf(await studio.budgetText(run, table, format));
		}),
		get("/api/changes", async (exchange) => {
			const names = given(Tables, exchange).runs;
			const stamps = new Map(await Promise.all(names.map(async (run) => [run, await studio.stamp(run)] as const)));
			return { events: changesOf(studio, { stamps, signal: exchange.signal }) };
		}),
		get("/api/media/*/*", async ({ segments: [run = "", name = ""], query, work }) => {
			const file = await studio.media(run, name);
			if (!file) throw new HttpError(404, "no-picture", "there is no such picture", "It may have been removed.");
			if (query.has("small")) {
				const bytes = await work(() => thumbnail(file));
				return { bytes, type: "image/webp", headers: { "cache-control": "private, max-age=3600" } };
			}
			return { file, name: `picture${extname(file)}` };
		}),
	];
}

function textOf(text: string | undefined): { text: string } {
	if (text === undefined) throw new HttpError(404, "no-table", "there is no such table", "Reload the page.");
	return { text };
}

/** Milliseconds after which a page is told that the index is being made. */
const waitsFor = 1500;

/**
 * What is made of runs. Where the index of one is still being made, that is told with status 202: it takes longer than
 * anybody waits without a word, and is no failure.
 */
async function patiently(
	studio: Studio,
	runs: readonly string[],
	made: Promise<unknown>,
	exchange: Exchange,
): Promise<Answer> {
	const patience = new AbortController();
	const late = wait(waitsFor, undefined, { signal: patience.signal }).then(async () => {
		for (const run of runs) {
			const share = await studio.indexing(run).catch(() => undefined);
			if (share !== undefined) return share;
		}
		return undefined;
	});
	late.catch(() => undefined);
	const share = await Promise.race([made.then(() => undefined), late]).finally(() => patience.abort());
	if (share === undefined) return jsonOf(await made, exchange);
	made.catch(() => undefined);
	return { json: { waiting: `${Math.floor(share * 100)} % of this run is indexed` }, status: 202 };
}

/** Bodies from this size on are sent compressed where the client takes that. */
const compressedFrom = 64 * 1024;

/** JSON that is sent again only where it changed. */
export function jsonOf(json: unknown, { headers }: Exchange): Answer {
	const body = Buffer.from(JSON.stringify(json));
	const etag = `"${sha256(body).slice(0, 32)}"`;
	const about = { "cache-control": "no-cache", etag };
	if (headers["if-none-match"] === etag) return { status: 304, headers: about };
	const small = body.length < compressedFrom || !/\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
	if (small) return { bytes: body, type: "application/json", headers: about };
	const packed = { ...about, "content-encoding": "gzip", vary: "accept-encoding" };
	return { bytes: gzipSync(body, { level: 1 }), type: "application/json", headers: packed };
}

const every = 1000;

/** An event whenever the files of one of the runs changed; `stamps`: what they are like now. */
async function* changesOf(
	studio: Studio,
	{ stamps, signal }: { stamps: Map<string, string>; signal: AbortSignal },
): AsyncGenerator<ServerEvent> {
	while (!signal.aborted) {
		await wait(every, undefined, { signal }).catch(() => undefined);
		for (const [run, before] of stamps) {
			if (signal.aborted) return;
			const now = await studio.stamp(run);
			stamps.set(run, now);
			if (now !== before) yield { event: "changed", data: run };
		}
	}
}
