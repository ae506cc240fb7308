import { randomUUID } from "node:crypto";
import { z } from "zod";
import { freeRecord, grouped } from "#domain";
import { aggregate, type EpisodeSession, moveOf, type Sessions } from "#training";
import { HttpError } from "../http-error.ts";
import { type Exchange, forPolicies, get, parsed, post, type Route } from "../route.ts";
import { numbersIn, numbersOf } from "./components.ts";
import type { Face } from "./face.ts";
import { resultOf } from "./tool-result.ts";

const guide = "The forms are in the guide “Serve an environment”.";
const cookieName = "hopscope_session";
/** The place of a task in the input, by which its rollouts are grouped. */
const taskIndex = "_ng_task_index";

const Seeded = z.looseObject({ task: z.string().max(1000), seed: z.int().min(0).max(0x7fffffff).default(0) });
const Output = z.looseObject({
	type: z.string(),
	role: z.string().optional(),
	content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).optional(),
});
const Verified = z.looseObject({
	response: z.looseObject({
		output: z.array(Output).max(10_000),
		incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
	}),
});
const Aggregated = z.looseObject({
	verify_responses: z.array(freeRecord(z.unknown())).max(1_000_000),
});

/**
 * The resources server of NeMo Gym: a rollout seeds a session, which a cookie names, calls tools by their names as
 * paths, and is verified by what it did here; its last words are read by the protocol. Text only: the tools answer in
 * text. What fails is an error, which their agents raise: never a reward of 0.
 * Source: nemo_gym/base_resources_server.py and its simple_agent, 2026.
 */
export function nemoFace(sessions: Sessions): Face {
	async function sessionOf({
		headers,
	}: Exchange): Promise<{ session: EpisodeSession; headers: Record<string, string> }> {
		const id = cookieIn(headers.cookie);
		if (id === undefined)
			throw new HttpError(404, "no-session", "no session cookie came, and no route is served at this path", guide);
		// their agents keep the cookies of the last answer only
		return { session: await sessions.get(id), headers: cookie(id) };
	}

	async function verify(exchange: Exchange) {
		const body = parsed(Verified, exchange.body, guide);
		const { session, headers } = await sessionOf(exchange);
		const { output, incomplete_details } = body.response;
		const said = lastSaid(output);
		exchange.note({ episode: session.id, said });
		const reward = await exchange.work(async () => {
			if (said !== undefined && (!session.over || session.last?.reward === null)) {
				const move = { is: "says" as const, text: said, ...(incomplete_details ? { cut: true } : {}) };
				const step = await session.act(move, { request: "verify" });
				if (step.reward) return step.reward;
			}
			return session.last?.reward ?? session.reward();
		});
		const numbers = numbersOf(reward);
		return { json: { ...body, ...numbers, reward: reward.value, reward_components: numbers }, headers };
	}

	async function callTool(exchange: Exchange) {
		const { segments, body, work, note } = exchange;
		const { session, headers } = await sessionOf(exchange);
		const move = moveOf(segments[0] ?? "", body ?? {}, session.tools);
		note({ episode: session.id, move });
		const result = resultOf(await work(() => session.act(move)));
		return { text: result.map((part) => (part.type === "text" ? part.text : "[an image]")).join("\n"), headers };
	}

	const seedSession = post("/seed_session", async ({ body, work, note }) => {
		const { task, seed } = parsed(Seeded, body, guide);
		const id = randomUUID();
		note({ episode: id, task, seed });
		await work(() => sessions.open(id, { task, seed }));
		return { json: {}, headers: cookie(id) };
	});

	const routes: Route[] = [
		...forPolicies([seedSession, post("/*", callTool, { bodyOptional: true })]),
		post("/verify", verify),
		post("/aggregate_metrics", async ({ body }) => {
			const rows = parsed(Aggregated, body, guide).verify_responses;
			const numbers = rows.map(({ [taskIndex]: task, ...row }) => ({ task, row: numbersIn(row) }));
			const overall = aggregate(numbers.map(({ row }) => row));
			const groups = grouped(numbers, ({ task }) => task);
			return {
				json: {
					group_level_metrics: [...groups].map(([task, of]) => ({
						[taskIndex]: task,
						...aggregate(of.map(({ row }) => row)),
					})),
					agent_metrics: overall,
					key_metrics: { "mean/reward": overall["mean/reward"] ?? null },
				},
			};
		}),
		// what was done in a session cannot be told from its response
		get("/reverify_mode", () => ({ json: "unsupported" })),
	];
	return { routes };
}

const cookie = (id: string) => ({ "set-cookie": `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Strict` });

function cookieIn(header: string | undefined): string | undefined {
	const pairs = (header ?? "").split(";").map((pair) => pair.trim().split("="));
	return pairs.find(([name]) => name === cookieName)?.[1];
}

/** The text of the last message of the policy; undefined where it ended in a call. */
function lastSaid(output: z.infer<typeof Output>[]): string | undefined {
	const last = output.findLast(({ type }) => type === "message" || type.startsWith("function_call"));
	if (last?.type !== "message" || (last.role ?? "assistant") !== "assistant") return undefined;
	return (last.content ?? []).map(({ text }) => text ?? "").join("\n");
}
