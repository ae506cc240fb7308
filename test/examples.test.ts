import { expect, test } from "vitest";
import { main } from "../examples/your-own-agent.ts";

test("an agent of one's own runs on a knowledge base and a benchmark of one's own", async () => {
	const said: string[] = [];
	const hps = await main((text) => said.push(text));
	// one search can match one of two hops
	expect(hps).toBe(0.5);
	expect(said.join("\n")).toContain("last-word");
});
