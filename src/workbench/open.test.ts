import { expect, onTestFinished, test } from "vitest";
import { jsonServer } from "../../test/support/encoders/json-server.ts";
import { lazyKnowledge } from "./open.ts";

test("a knowledge base that is still being opened is closed too", async () => {
	const server = await jsonServer(({ path }) => (path.endsWith("/v1/index") ? { status: 404 } : { results: [] }));
	onTestFinished(() => server.close());
	const lazy = lazyKnowledge(async () => `${server.url}/retrieve`);
	const opening = lazy.open();
	await lazy.close();
	const knowledge = await opening;
	await expect(knowledge.search({ text: "river", target: "passage", k: 1 })).rejects.toMatchObject({ code: "closed" });
	await lazy.close();
});
