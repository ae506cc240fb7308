/**
 * A process that makes tables: over many records it computes for minutes, and whoever asked for them answers others
 * meanwhile. It is told what to make over the channel to its parent, and ends with it.
 */
import { HopscopeError } from "#domain";
import { openWorkspace } from "#store";
import type { MadeTables } from "#studio";
import { startWork } from "../work.ts";
import { makeBudget } from "./budget.ts";
import { makeTables, tabledOpener } from "./tables.ts";
import type { TablesHeard, TablesOrder } from "./tables-apart.ts";

const send = (said: TablesHeard, then?: () => void) => process.send?.(said, undefined, undefined, then);

process.once("message", async (order: TablesOrder) => {
	const work = startWork(
		(bench): Promise<MadeTables<unknown>> => {
			const options = {
				tell: (work: string, done = 0, total?: number) => void send({ is: "telling", at: [work, done, total] }),
				signal: bench.signal,
				open: tabledOpener([], bench),
			};
			if ("budget" in order) return makeBudget(order.budget, options, bench);
			return makeTables(order.tables, options);
		},
		{ workspace: openWorkspace(order.workspace), environment: {} },
	);
	const end = () => process.disconnect();
	work.then(
		(made) => send({ is: "made", made }, end),
		(error: unknown) => send({ is: "failed", ...asSaid(error) }, end),
	);
	for await (const event of work) if (event.event === "note") send({ is: "note", message: event.message });
});
process.once("disconnect", () => process.exit());

function asSaid(error: unknown): Omit<Extract<TablesHeard, { is: "failed" }>, "is"> {
	if (!(error instanceof HopscopeError)) return { message: error instanceof Error ? error.message : String(error) };
	const { message, code, remedy, exitCode } = error;
	return { message, known: { code, remedy, exitCode } };
}
