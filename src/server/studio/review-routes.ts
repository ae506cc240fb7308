import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { z } from "zod";
import { ReviewOf, ReviewPut, ReviewSeat, ReviewTake } from "#studio";
import type { Studio } from "#workbench";
import { HttpError } from "../http-error.ts";
import { type Exchange, get, parsed, post, type Route } from "../route.ts";
import { thumbnail } from "./thumbnail.ts";

const remedy = "Reload the page; its address may be of another version.";
const Round = z.preprocess((round) => (round === "adjudication" ? round : Number(round ?? 1)), ReviewSeat.shape.round);
const Seat = ReviewSeat.extend({ round: Round });
const Take = ReviewTake.extend({ round: Round });

/** Reviews over HTTP: a decision is answered once it is on disk, with what was kept from its reviewer until then. */
export function reviewRoutes({ reviews }: Pick<Studio, "reviews">): Route[] {
	const asked = <Given>(schema: z.ZodType<Given>, { query }: Exchange): Given =>
		parsed(schema, Object.fromEntries(query), remedy);
	const queueOf = ({ segments: [kind, of] }: Exchange): ReviewOf => parsed(ReviewOf, { kind, of }, remedy);
	return [
		get("/api/reviews", async () => ({ json: await reviews.queues() })),
		get("/api/reviews/standing", async (exchange) => ({ json: await reviews.standing(asked(ReviewOf, exchange)) })),
		get("/api/reviews/queue", async (exchange) => ({ json: await reviews.queue(asked(Seat, exchange)) })),
		get("/api/reviews/item", async (exchange) => ({ json: await reviews.entry(asked(Take, exchange)) })),
		post("/api/reviews/decision", async ({ body }) => ({ json: await reviews.put(parsed(ReviewPut, body, remedy)) })),
		post("/api/reviews/undo", async ({ body }) => ({ json: await reviews.undo(parsed(ReviewTake, body, remedy)) })),
		get("/api/reviews/file/*/*", async (exchange) => {
			const file = await reviews.file(queueOf(exchange));
			if (!existsSync(file))
				throw new HttpError(404, "no-decisions", "nothing was decided yet", "Review something first.");
			const bytes = await readFile(file);
			const name = `${queueOf(exchange).kind}.jsonl`;
			return {
				...{ bytes, type: "application/x-ndjson" },
				headers: { "content-disposition": `attachment; filename="reviewed-${name}"` },
			};
		}),
		get("/api/reviews/media/*/*/*", async (exchange) => {
			const file = await reviews.media(queueOf(exchange), exchange.segments[2] ?? "");
			if (!file) throw new HttpError(404, "no-picture", "there is no such picture", "It may have been removed.");
			if (!exchange.query.has("small")) return { file, name: `picture${extname(file)}` };
			const bytes = await exchange.work(() => thumbnail(file));
			return { bytes, type: "image/webp", headers: { "cache-control": "private, max-age=3600" } };
		}),
	];
}
