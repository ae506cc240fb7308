import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";

/** Carries what people decided on the tasks of `from` over to the folder that is to take its place. */
export async function keepReviews(from: string, to: string): Promise<void> {
	const reviews = join(from, "reviews");
	if (existsSync(reviews)) await cp(reviews, join(to, "reviews"), { recursive: true });
}
