import { runCommand } from "./program.ts";

/** One command that ended, in this process. */
export interface EndedCommand {
	code: number;
	out: string;
	err: string;
	/** The one JSON line of standard output. */
	json(): ReturnType<typeof JSON.parse>;
}

/** Runs `hopscope ARGS` on a workspace in this process: starting the built command takes longer than most tests. */
export function commandsOn(workspace: () => string): (...args: string[]) => Promise<EndedCommand> {
	return async (...args) => {
		const lines: string[] = [];
		const said: string[] = [];
		const output = { write: (text: string) => void lines.push(text), say: (text: string) => void said.push(text) };
		const code = await runCommand([...args, "--workspace", workspace()], output);
		return { code, out: lines.join("\n"), err: said.join("\n"), json: () => JSON.parse(lines.join("\n")) };
	};
}
