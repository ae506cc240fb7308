import { z } from "zod";
import type { PolicyMove } from "#agents";
import { type FormatFault, Trajectory } from "#domain";
import type { Environment, EpisodeReward, RepliesReward } from "#training";
import { HttpError, httpErrorOf } from "../http-error.ts";
import { badRequest, parsed, post, type Route } from "../route.ts";
import { componentsOf } from "./components.ts";
import type { Face } from "./face.ts";

const guide = "The forms are in the guide “Serve an environment”.";
/** Items of one batch: a trainer sends all its rollouts together. */
const mostItems = 4096;
const mostText = 1_000_000;

const text = z.string().max(mostText);
const task = z.string().max(1000);
const Message = z.looseObject({
	role: z.string(),
	/** The thought, where a server parted it from the text. */
	reasoning_content: text.nullish(),
	content: z.union([text, z.array(z.looseObject({ type: z.string(), text: text.optional() }))]).nullish(),
	tool_calls: z
		.array(
			z.looseObject({ id: z.string().optional(), function: z.object({ name: z.string(), arguments: z.unknown() }) }),
		)
		.max(64)
		.nullish(),
});

const forms = {
	trajectory: z.strictObject({ task, trajectory: Trajectory }),
	messages: z.strictObject({ task, messages: z.array(Message).min(1).max(2000) }),
	text: z.strictObject({ task, text }),
	/** What verl hands to a reward function. */
	solution_str: z.looseObject({ solution_str: text, extra_info: z.looseObject({ task }) }),
};

interface Scored {
	reward: number;
	components: ReturnType<typeof componentsOf>;
	/** Whether the whole trajectory was well-formed. */
	valid: boolean;
	/** Why it was not, or why there is no answer. */
	reasons: string[];
}

/** `POST /score` and `POST /score/batch`: rewards of what was played elsewhere. A failure is an error, never a 0. */
export function scoreFace({ environment }: { environment: Environment }): Face {
	async function score(body: unknown): Promise<Scored> {
		const keys = z.looseObject({}).safeParse(body).data ?? {};
		if ("trajectory" in keys) {
			const given = parsed(forms.trajectory, body, guide);
			return scored(await environment.reward(given.task, given.trajectory), given.trajectory);
		}
		const { task: id, moves } = askedOf(keys, environment);
		const { reward, trajectory } = await environment.rewardOfMoves(id, moves);
		return scored(reward, trajectory);
	}

	const routes: Route[] = [
		post("/score", async ({ body, work }) => ({ json: await work(() => score(body)) })),
		post("/score/batch", async ({ body, workAll }) => {
			const { items } = parsed(z.strictObject({ items: z.array(z.unknown()).max(mostItems) }), body, guide);
			const settled = await workAll(items.map((item) => () => score(item)));
			const outcomes = settled.map((one) => (one.status === "fulfilled" ? one.value : httpErrorOf(one.reason)));
			const [first] = outcomes;
			// where nothing was scored the status says so; else each failure stands in its item's place
			if (first instanceof HttpError && outcomes.every((outcome) => outcome instanceof HttpError)) throw first;
			return { json: { items: outcomes.map((outcome) => (outcome instanceof HttpError ? outcome.body : outcome)) } };
		}),
	];
	return { routes };
}

/** The task, and the moves that the replies in a request are. */
function askedOf(keys: object, { agent }: Environment): { task: string; moves: PolicyMove[] } {
	if ("messages" in keys) {
		const { task, messages } = parsed(forms.messages, keys, guide);
		const moves = messages.flatMap((message) => (message.role === "assistant" ? [moveIn(message)] : []));
		return { task, moves: spoken(moves) };
	}
	const isVerl = "solution_str" in keys;
	if (!isVerl && !("text" in keys)) throw badRequest("there is no trajectory, messages, text or solution_str", guide);
	const verl = isVerl ? parsed(forms.solution_str, keys, guide) : undefined;
	const given = verl ? { task: verl.extra_info.task, text: verl.solution_str } : parsed(forms.text, keys, guide);
	if (!agent.repliesIn)
		throw new HttpError(
			422,
			"no-text-form",
			`the replies of "${agent.name}" cannot be told apart in one text`,
			"Send messages or a trajectory, or play episodes here.",
		);
	return { task: given.task, moves: spoken(agent.repliesIn(given.text).map((reply) => ({ is: "says", text: reply }))) };
}

function spoken(moves: PolicyMove[]): PolicyMove[] {
	if (moves.length > 0) return moves;
	throw new HttpError(422, "nothing-said", "it holds no reply of the policy", "Send the response with its replies.");
}

function moveIn({ content, tool_calls, reasoning_content: thought }: z.infer<typeof Message>): PolicyMove {
	const said = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n");
	if (!tool_calls || tool_calls.length === 0) return { is: "says", text: said, ...(thought ? { thought } : {}) };
	const calls = tool_calls.map(({ id, function: { name, arguments: given } }) => ({
		...{ name, arguments: given },
		...(id === undefined ? {} : { id }),
	}));
	return { is: "calls", calls, text: said };
}

function scored(reward: EpisodeReward | RepliesReward, trajectory: Trajectory): Scored {
	const components = componentsOf(reward);
	const valid = components.format === 1;
	return { reward: reward.value, components, valid, reasons: reasonsOf(trajectory, valid) };
}

function reasonsOf({ steps, answer, stop }: Trajectory, valid: boolean): string[] {
	const reasons = steps.flatMap(({ call, error, dropped, malformed = [] }, index) => [
		...(call?.valid === false ? [`step ${index + 1}: ${(error ?? "the call was wrong").slice(0, 300)}`] : []),
		...(dropped ? [`step ${index + 1}: ${dropped} characters stand behind its action`] : []),
		// where the reward is lenient they cost nothing
		...(valid ? [] : malformed.map((fault) => `step ${index + 1}: ${faultWords[fault]}`)),
	]);
	return answer === null && stop !== "answered" ? [...reasons, `no answer was given: ${stop}`] : reasons;
}

const faultWords: Record<FormatFault, string> = {
	"no-thought": "no thought stands in its tags",
	"outside-tags": "words stand outside the tags",
	"stray-tag": "a tag has no partner, or stands within another",
	"forged-observation": "the policy wrote the environment's tags",
	"no-box": "the answer stands in no box",
};
