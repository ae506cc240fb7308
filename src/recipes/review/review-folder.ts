import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { freeRecord, Review } from "#domain";
import { openAppender, parseLine, readJson, readLines, writeJson, writeJsonl } from "#store";

/** `reviews/queue.json`: who was asked what. */
export const ReviewPlan = z.object({
	version: z.literal(1),
	benchmark: z.object({ name: z.string(), hash: z.string() }),
	reviewers: z.array(z.string().min(1).max(100)).min(1),
	perItem: z.number().int().positive(),
	policy: z.enum(["majority", "unanimous"]),
	seed: z.number().int(),
	/** Item ids, spoilt ones among them, by reviewer in their order. */
	queues: freeRecord(z.array(z.string())),
});
export type ReviewPlan = z.infer<typeof ReviewPlan>;

/** A spoilt item, kept away from reviewers. */
const TrapKey = z.object({ id: z.string(), from: z.string(), spoilt: z.enum(["answer", "last-hop"]) });
export type TrapKey = z.infer<typeof TrapKey>;

/** The reviews of a benchmark: a folder `reviews` beside its tasks. Decisions are only ever appended. */
export interface ReviewFolder {
	dir: string;
	plan(): Promise<ReviewPlan | undefined>;
	traps(): Promise<TrapKey[]>;
	/** Decisions in the order in which they came in; `damaged` counts lines that cannot be read. */
	reviews(): Promise<{ reviews: Review[]; damaged: number }>;
	start(plan: ReviewPlan, traps: readonly TrapKey[]): Promise<void>;
	/** Appends decisions that are not there yet; returns how many were new. */
	add(reviews: readonly Review[]): Promise<number>;
}

export function openReviewFolder(benchmark: string): ReviewFolder {
	const dir = join(benchmark, "reviews");
	const [planFile, trapFile, file] = ["queue.json", "traps.jsonl", "reviews.jsonl"].map((name) => join(dir, name)) as [
		string,
		string,
		string,
	];
	async function linesOf<T>(from: string, schema: z.ZodType<T>): Promise<{ values: T[]; damaged: number }> {
		const values: T[] = [];
		let damaged = 0;
		if (existsSync(from))
			for await (const { text } of readLines(from)) {
				const parsed = parseLine(text, schema);
				if ("value" in parsed) values.push(parsed.value);
				else damaged += 1;
			}
		return { values, damaged };
	}
	async function reviews() {
		const { values, damaged } = await linesOf(file, Review);
		return { reviews: values, damaged };
	}
	return {
		dir,
		plan: async () => (existsSync(planFile) ? readJson(planFile, ReviewPlan) : undefined),
		traps: async () => (await linesOf(trapFile, TrapKey)).values,
		reviews,
		async start(plan, traps) {
			await writeJsonl(trapFile, traps);
			await writeJson(planFile, plan);
		},
		async add(given) {
			const known = new Set((await reviews()).reviews.map((review) => JSON.stringify(review)));
			const appender = await openAppender(file);
			let added = 0;
			try {
				for (const review of given) {
					const key = JSON.stringify(review);
					if (known.has(key)) continue;
					known.add(key);
					await appender.append(review);
					added += 1;
				}
			} finally {
				await appender.close();
			}
			return added;
		},
	};
}
