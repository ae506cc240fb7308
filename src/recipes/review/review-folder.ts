import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { freeRecord, type Review, ReviewLine, standingReviews, type Withdrawal } from "#domain";
import { lockedFolder, openAppender, parseLine, readJson, readLines, writeJson, writeJsonl } from "#store";
import { settlePolicies } from "./settle.ts";

/** `reviews/queue.json`: who was asked what. */
const Plan = z.object({
	version: z.literal(2),
	benchmark: z.object({ name: z.string(), hash: z.string() }),
	reviewers: z.array(z.string().min(1).max(100)).min(1),
	perItem: z.number().int().positive(),
	policy: z.enum(settlePolicies),
	seed: z.number().int(),
	/** Item ids, spoilt ones among them, by reviewer in their order. */
	queues: freeRecord(z.array(z.string())),
});
/** Plans of version 1 said `unanimous` where one who discards was enough. */
export const ReviewPlan = z.preprocess((plan) => {
	const old = z.looseObject({ version: z.literal(1), policy: z.unknown() }).safeParse(plan);
	if (!old.success) return plan;
	const policy = old.data.policy === "unanimous" ? "fail-any" : old.data.policy;
	return { ...old.data, version: 2, policy };
}, Plan);
export type ReviewPlan = z.infer<typeof ReviewPlan>;

/** A spoilt item, kept away from reviewers. */
const TrapKey = z.object({ id: z.string(), from: z.string(), spoilt: z.enum(["answer", "last-hop"]) });
export type TrapKey = z.infer<typeof TrapKey>;

/** The reviews of a benchmark: a folder `reviews` beside its tasks. Decisions are only ever appended. */
export interface ReviewFolder {
	dir: string;
	plan(): Promise<ReviewPlan | undefined>;
	traps(): Promise<TrapKey[]>;
	/**
	 * The decisions that stand, in the order in which they came in, and `lines`: those taken back and what took them back
	 * too; `damaged` counts lines that cannot be read.
	 */
	reviews(): Promise<{ reviews: Review[]; lines: ReviewLine[]; damaged: number }>;
	start(plan: ReviewPlan, traps: readonly TrapKey[]): Promise<void>;
	/** Appends decisions that are not there yet; returns how many were new. */
	add(reviews: readonly Review[]): Promise<number>;
	/** Takes back a person's last decision on an item; false where none stands. */
	withdraw(withdrawal: Withdrawal): Promise<boolean>;
}

/** A consensus as it was before it was dated. */
function undated(line: ReviewLine): ReviewLine {
	if ("withdrawn" in line || line.round !== "adjudication") return line;
	const { at: _at, ...rest } = line;
	return rest;
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
		const { values: lines, damaged } = await linesOf(file, ReviewLine);
		return { reviews: standingReviews(lines), lines, damaged };
	}
	async function append(lines: readonly ReviewLine[]): Promise<void> {
		const appender = await openAppender(file);
		try {
			await Promise.all(lines.map((line) => appender.append(line)));
		} finally {
			await appender.close();
		}
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
		add: (given) =>
			lockedFolder(dir, async () => {
				const { lines } = await reviews();
				const known = new Set(lines.flatMap((line) => [JSON.stringify(line), JSON.stringify(undated(line))]));
				const fresh = new Map(given.map((review) => [JSON.stringify(review), review]));
				for (const key of known) fresh.delete(key);
				// a sheet does not say when: a consensus is dated by when it came in
				const at = new Date().toISOString();
				const dated = (review: Review) => (review.round === "adjudication" ? { at, ...review } : review);
				await append([...fresh.values()].map(dated));
				return fresh.size;
			}),
		withdraw: (withdrawal) =>
			lockedFolder(dir, async () => {
				const { item, reviewer, round } = withdrawal;
				const stands = (await reviews()).reviews.some(
					(review) => review.item === item && review.reviewer === reviewer && review.round === round,
				);
				if (stands) await append([withdrawal]);
				return stands;
			}),
	};
}
