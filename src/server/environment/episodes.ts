import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { PolicyMove } from "#agents";
import { actionTools, type EpisodeSession, mostSaid, type SessionStep, type Sessions } from "#training";
import { HttpError } from "../http-error.ts";
import { badRequest, type Exchange, forPolicies, get, parsed, post, type Route, remove } from "../route.ts";
import type { Face } from "./face.ts";
import { seenBy } from "./seen-step.ts";
import { type Shown, shownMessages, shownTools } from "./shown.ts";
import { taskAt, unknownSplit } from "./tasks.ts";

const guide = "The forms are in the guide “Serve an environment”.";

const SessionName = z
	.string()
	.max(200)
	.regex(/^[\w.:-]+$/, "a name has letters, digits and . : _ -");

const Opening = z
	.strictObject({
		task: z.string().max(1000).optional(),
		split: z.string().max(200).optional(),
		index: z.int().min(0).optional(),
		seed: z.int().min(0).max(0x7fffffff).default(0),
		id: SessionName.optional(),
		images: z.enum(["data", "reference"]).default("data"),
		form: z.enum(["parts", "chat"]).default("parts"),
	})
	.refine(
		({ task, split, index }) => (task === undefined ? split !== undefined && index !== undefined : split === index),
		"name either a task, or a split and an index",
	);

const text = z.string().max(mostSaid);
const Act = z
	.strictObject({
		say: text.optional(),
		thought: text.optional(),
		cut: z.boolean().optional(),
		calls: z
			.array(z.strictObject({ name: z.string().max(200), arguments: z.unknown(), id: z.string().max(200).optional() }))
			.min(1)
			.max(64)
			.optional(),
		text: text.optional(),
		answer: text.optional(),
		request: z.string().min(1).max(200).optional(),
	})
	.refine(
		({ say, calls, answer }) => [say, calls, answer].filter((one) => one !== undefined).length === 1,
		"make one move: say, calls or answer",
	);

/** Our own way of playing: open, act until it is over, look, end. */
export function episodeFace(sessions: Sessions): Face {
	const { environment } = sessions;
	const shownBy = new WeakMap<EpisodeSession, Shown>();
	const shownOf = (session: EpisodeSession): Shown =>
		shownBy.get(session) ?? { form: "parts", images: "data", kept: new Map() };

	function stepOf(step: SessionStep, session: EpisodeSession, asking: Pick<Exchange, "trusted">): object {
		const { over, last, valid, dropped, moves, reward } = seenBy(step, asking);
		const shown = shownOf(session);
		const [said] = shownMessages([step.said], { episode: session.id, shown });
		return {
			observation: shownMessages(step.observation, { episode: session.id, shown }),
			...{ over, last, valid, said, dropped, moves },
			...(reward ? { reward } : {}),
		};
	}
	function openedOf(session: EpisodeSession): object {
		const { id, task, seed, tools, stop, budget } = session;
		const shown = shownOf(session);
		const opening = shownMessages(session.opening, { episode: id, shown });
		return { episode: id, task, seed, opening, tools: shownTools(tools, shown), stop, budget };
	}

	const routes: Route[] = [
		get("/v1/environment", async ({ work }) => {
			const { name, agent, setting, splits } = environment;
			const tools = await work(() => environment.tools());
			return {
				json: {
					...{ benchmark: name, agent: agent.name, version: agent.version, setting },
					splits: Object.fromEntries([...splits].map(([split, tasks]) => [split, tasks.length])),
					tools,
					actions: actionTools(tools),
					episodes: sessions.size,
				},
			};
		}),
		get("/v1/environment/tasks/*", async ({ segments: [split = ""] }) => {
			const tasks = environment.splits.get(split);
			if (!tasks) throw unknownSplit(split, environment.splits);
			return { json: { split, tasks } };
		}),
		post("/v1/episodes", async ({ body, work, note }) => {
			const { id = randomUUID(), seed, images, form, ...of } = parsed(Opening, body, guide);
			const task = of.task ?? taskAt(environment, { split: of.split ?? "", index: of.index ?? 0 });
			note({ episode: id, task, seed });
			const session = await work(() => sessions.open(id, { task, seed }));
			if (!shownBy.has(session)) shownBy.set(session, { form, images, kept: new Map() });
			return { json: openedOf(session) };
		}),
		post("/v1/episodes/*/act", async ({ segments: [id = ""], body, work, note, trusted }) => {
			const { request, ...act } = parsed(Act, body, guide);
			const move = moveIn(act);
			note({ episode: id, move, ...(request === undefined ? {} : { request }) });
			const session = await sessions.get(id);
			const step = await work(() => session.act(move, { request }));
			return { json: stepOf(step, session, { trusted }) };
		}),
		get("/v1/episodes/*", async ({ segments: [id = ""], trusted }) => {
			const session = await sessions.get(id);
			const { over, last } = session;
			return { json: { ...openedOf(session), over, step: last ? stepOf(last, session, { trusted }) : null } };
		}),
		get("/v1/episodes/*/images/*", async ({ segments: [id = "", name = ""] }) => {
			const image = shownOf(await sessions.get(id)).kept.get(name);
			if (!image)
				throw new HttpError(404, "no-image", "this episode has shown no such image", "Take its own addresses.");
			return { bytes: image.data, type: image.mediaType };
		}),
		remove("/v1/episodes/*", async ({ segments: [id = ""] }) => {
			return { json: { episode: id, ended: sessions.close(id) } };
		}),
	];
	return { routes: forPolicies(routes) };
}

function moveIn({ say, thought, cut, calls, text, answer }: Omit<z.infer<typeof Act>, "request">): PolicyMove {
	if (calls) {
		const made = calls.map(({ name, arguments: given, id }) => ({
			...{ name, arguments: given },
			...(id === undefined ? {} : { id }),
		}));
		return { is: "calls", calls: made, ...(text === undefined ? {} : { text }) };
	}
	if (answer !== undefined) return { is: "answers", text: answer };
	const more = { ...(thought === undefined ? {} : { thought }), ...(cut === undefined ? {} : { cut }) };
	if (say !== undefined) return { is: "says", text: say, ...more };
	throw badRequest("no move was made", guide);
}
