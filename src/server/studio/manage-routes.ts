import { z } from "zod";
import { TagChange } from "#studio";
import type { Studio } from "#workbench";
import { type Exchange, get, parsed, post, type Route, remove } from "../route.ts";

const remedy = "Reload the page; its address may be of another version.";
const Runs = z.object({
	runs: z
		.string()
		.max(20_000)
		.transform((names) => names.split(",").filter((name) => name !== ""))
		.pipe(z.array(z.string()).min(1)),
});

/** Tagging and deleting runs over HTTP; as every request that changes something, refused to pages of other sites. */
export function manageRoutes({ manage }: Pick<Studio, "manage">): Route[] {
	const runsOf = ({ query }: Exchange) => parsed(Runs, Object.fromEntries(query), remedy).runs;
	return [
		post("/api/runs/*/tags", async ({ segments: [run = ""], body }) => ({
			json: await manage.tag(run, parsed(TagChange, body, remedy)),
		})),
		get("/api/removal", async (exchange) => ({ json: await manage.removal(runsOf(exchange)) })),
		remove("/api/runs", async (exchange) => ({ json: await manage.remove(runsOf(exchange)) })),
	];
}
