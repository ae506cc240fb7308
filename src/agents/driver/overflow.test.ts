import { expect, test } from "vitest";
import { agents, toyTasks } from "#agents";
import { ModelError } from "#models";
import { scoreTrajectory } from "#scoring";
import { play } from "../../../test/support/agents/scripted-play.ts";

test("a conversation that outgrows the model's context ends without an answer, and is scored as none", async () => {
	const { trajectory } = await play(agents["self-ask"], (request) => {
		if (request.messages.length > 2) throw new ModelError("HTTP 400: context_length_exceeded", { status: 400 });
		return "Follow up: What is the capital of Velmora?";
	});
	expect(trajectory).toMatchObject({
		...{ answer: null, abstained: false, stop: "context-limit" },
		error: { boundary: "model", message: expect.stringContaining("context_length_exceeded") },
	});
	expect(trajectory.steps.length).toBeGreaterThan(0);
	const [task] = toyTasks;
	if (!task) throw new Error("no task");
	const { outcome, scores } = scoreTrajectory(task, trajectory);
	expect(outcome).toBe("context-limit");
	expect(scores.accuracy).toMatchObject({ is: "scored", value: 0 });
	expect(scores.hps?.is).toBe("scored");
});
