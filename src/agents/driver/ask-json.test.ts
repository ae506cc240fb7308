import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { viewOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { createChatModel, type ReplyServer, replyServer, type ServedReply } from "#models";
import type { AgentContext } from "../agent-context.ts";
import { createPool } from "../pool.ts";
import { toyTasks } from "../toy-world.ts";
import { askJson, type JsonReply } from "./ask-json.ts";
import { textMessage } from "./protocol.ts";
import { withSession } from "./session.ts";

const Choice = z.object({ reason: z.string(), choice: z.array(z.number().int()) });
const good = { reason: "it fits", choice: [1, 2] };
const value = () => ({ is: "value", value: good });

describe("asking for JSON", () => {
	let server: ReplyServer | undefined;
	afterEach(() => server?.close());

	async function ask(replies: ServedReply[]) {
		server = await replyServer(replies);
		const [task] = toyTasks;
		if (!task) throw new Error("no task");
		const model = createChatModel(`openai:test@${server.url}`, { retryFor: 0 });
		const context: AgentContext = {
			tools: createPool([]),
			knowledge: fakeKnowledge(),
			model,
			setting: { name: "test", k: 3 },
			signal: new AbortController().signal,
			repeat: 0,
			imagePath: (file) => file,
		};
		let reply: JsonReply<z.infer<typeof Choice>> | undefined;
		const trajectory = await withSession(viewOf(task), context, async (session) => {
			const messages = [textMessage("system", "Choose."), textMessage("user", "Which?")];
			reply = await askJson(session, { messages }, { name: "choice", schema: Choice }, { conversation: "chooser" });
			return session.finish({ answer: null, stop: "answered" });
		});
		return { reply, trajectory, requests: server.requests };
	}

	test("a reply that fits is one request, with the form asked for", async () => {
		const { reply, requests } = await ask([JSON.stringify(good)]);
		expect(reply).toMatchObject({ ...value(), usage: { calls: 1 } });
		expect(requests).toHaveLength(1);
		expect(JSON.stringify(requests[0]?.body)).toContain('"choice":{"type":"array"');
	});
	test("one that does not is answered once with what is wrong; the conversation only grows", async () => {
		const { reply, requests, trajectory } = await ask(['{"reason": 7}', JSON.stringify(good)]);
		expect(reply).toMatchObject({ ...value(), usage: { calls: 2 } });
		const [first, second] = requests.map(({ body }) => body.messages);
		expect(second?.slice(0, first?.length)).toEqual(first);
		expect(second).toHaveLength(4);
		expect(JSON.stringify(second?.[3])).toContain("reason:");
		expect(trajectory.messages.map(({ role, conversation }) => [role, conversation])).toEqual(
			["system", "user", "assistant", "user", "assistant"].map((role) => [role, "chooser"]),
		);
	});
	test("a second misfit is the end of it", async () => {
		const { reply, requests } = await ask([{ is: "reply", text: "", finish: "length" }, "still no JSON"]);
		expect(reply).toMatchObject({ is: "misfit", text: "still no JSON", usage: { calls: 2 } });
		expect(requests).toHaveLength(2);
		expect(requests[1]?.body.messages[2]).toMatchObject({ role: "assistant", content: expect.stringMatching(/\S/) });
	});
	test("a provider's failure is the model's", async () => {
		const { reply, trajectory } = await ask([{ is: "status", status: 400, message: "no" }]);
		expect(reply).toBeUndefined();
		expect(trajectory).toMatchObject({ stop: "error", error: { boundary: "model" } });
	});
});
