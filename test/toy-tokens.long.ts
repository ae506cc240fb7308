// @module-tag long
import { expect, test } from "vitest";
import { runTokenToy } from "../examples/toy-rl/tokens/run.ts";

test("a small language model trained by the project's own signals answers what it could not before", async () => {
	const trained = await runTokenToy({ seed: 2, condition: "full" });
	expect(trained.notStarted).toBeNull();
	expect(trained.health?.ratioOff).toBeLessThan(1e-3);
	const before = trained.start.evaluation.accuracy;
	expect((trained.evaluation?.accuracy ?? 0) - before).toBeGreaterThan(0.25);
	for (const { sampledTokens, trainedTokens } of trained.rounds) expect(trainedTokens).toBe(sampledTokens);
}, 1_800_000);
