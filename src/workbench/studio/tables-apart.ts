import { fork } from "node:child_process";
import { HopscopeError, packageFile } from "#domain";
import type { MadeTables } from "#studio";
import type { Bench } from "../work.ts";
import type { Tell } from "./making.ts";

/** Node runs no TypeScript: in development too it is the built file. */
const program = packageFile("dist/cli/tables-process.js");

/** What is to be made, by folders of runs: their tables, or the error budget of one. */
export type TablesOrder = { workspace: string } & ({ tables: string[] } | { budget: string });

/** What the process that makes it says. */
export type TablesHeard =
	| { is: "telling"; at: Parameters<Tell> }
	| { is: "note"; message: string }
	| { is: "made"; made: MadeTables<unknown> }
	| { is: "failed"; message: string; known?: { code: string; remedy: string; exitCode: number } };

/** Makes tables in a process of their own. */
export function makeTablesApart<Page>(
	order: TablesOrder,
	{ tell, signal }: { tell: Tell; signal: AbortSignal },
	{ say }: Bench,
): Promise<MadeTables<Page>> {
	return new Promise((resolve, reject) => {
		const child = fork(program, {
			...{ execArgv: [], signal, killSignal: "SIGKILL", serialization: "advanced" },
			stdio: ["ignore", "ignore", "pipe", "ipc"],
		});
		let said = "";
		child.stderr?.on("data", (text: Buffer) => {
			said = (said + text.toString()).slice(-2000);
		});
		child.on("message", (heard: TablesHeard) => {
			if (heard.is === "telling") tell(...heard.at);
			else if (heard.is === "note") say(heard.message);
			// the order says which page it is
			else if (heard.is === "made") resolve(heard.made as MadeTables<Page>);
			else reject(failureOf(heard));
		});
		child.once("error", reject);
		child.once("exit", (code, by) => {
			const memory = /heap out of memory/.test(said) ? "it ran out of memory" : `it ended with ${by ?? `code ${code}`}`;
			reject(
				new HopscopeError("tables-ended", `the tables could not be made: ${memory}`, "Ask for fewer runs at once."),
			);
		});
		child.send(order);
	});
}

const failureOf = ({ message, known }: Extract<TablesHeard, { is: "failed" }>): Error =>
	known ? new HopscopeError(known.code, message, known.remedy, known) : new Error(message);
