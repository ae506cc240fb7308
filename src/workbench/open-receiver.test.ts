import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkbench } from "./index.ts";
import type { ReceivedEvent } from "./open-receiver.ts";

test("closing waits for a request that is being kept, and its run has it", async () => {
	const workspace = await mkdtemp(join(tmpdir(), "hopscope-receiver-"));
	onTestFinished(() => rm(workspace, { recursive: true, force: true }));
	const events: ReceivedEvent[] = [];
	const onEvent = (event: ReceivedEvent) => void events.push(event);
	const receiver = await openWorkbench(workspace).openReceiver({ name: "mine", quiet: 600_000, onEvent });
	const spans = await readFile(join(import.meta.dirname, "../benchmarks/transcripts/fixtures/otlp-genai.pb"));
	const kept = receiver.keep(spans, { protobuf: true });
	await receiver.close();
	await receiver.close();
	expect(await kept).toEqual({ spans: 17 });
	expect(events.map(({ event }) => event)).toEqual(["spans", "run"]);
	await expect(receiver.keep(spans, { protobuf: true })).rejects.toMatchObject({ code: "closed" });
});
