/** Answers of the studio by the schemas of its pages, as JSON carries them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openWorkbench, type Studio } from "#workbench";
import { Legend, MessagesPage, PlacedTask, RowsPage, RunPage, RunsPage, TaskPage } from "../src/studio/pages.ts";
import { makeTownsOfStudio, recordOfTown, writeStudioRun } from "./support/studio-run.ts";

const towns = 12;
let workspace: string;
let studio: Studio;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-studio-schemas-"));
	await makeTownsOfStudio(workspace, { towns });
	const records = Array.from({ length: towns }, (_, n) => recordOfTown(n, { towns }));
	await writeStudioRun(workspace, { towns, records, repeats: 2 });
	await writeStudioRun(workspace, { id: "empty", towns, records: [] });
	studio = await openWorkbench(workspace).openStudio();
});
afterAll(async () => {
	await studio?.close();
	await rm(workspace, { recursive: true, force: true });
});

/** Nothing is lost or refused on the way: no number that JSON does not know, no field that nobody is told of. */
function holds(schema: z.ZodType, answer: unknown): void {
	const sent = JSON.parse(JSON.stringify(answer));
	expect(schema.parse(sent)).toEqual(sent);
}

test.each(["made-up", "empty"])("whatever is asked of run %s is answered as its schema says", async (run) => {
	holds(Legend, await studio.legend());
	holds(RunsPage, await studio.runs());
	holds(RunPage, await studio.run(run));
	const page = await studio.rows(run, { where: "", sort: "-tokens", offset: 0, limit: 100 });
	holds(RowsPage, page);
	expect(page.total).toBe(run === "empty" ? 0 : towns);
	for (const { task, repeat } of page.rows) {
		const key = { task, repeat };
		holds(TaskPage, await studio.task(run, key));
		holds(MessagesPage, await studio.messages(run, { ...key, offset: 0, limit: 50 }));
		const found = await studio.next(run, { where: "", sort: "-tokens", from: key, step: 1, failures: true });
		holds(z.nullable(PlacedTask), found);
	}
});
