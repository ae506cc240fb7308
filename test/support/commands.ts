import { join } from "node:path";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { sha256 } from "#store";
import { runCommand } from "../../src/cli/program.ts";

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
	return (...args) => runHere([...args, "--workspace", workspace()]);
}

/** Runs `hopscope ARGS` in this process, on no workspace in particular. */
export async function runHere(args: string[]): Promise<EndedCommand> {
	const lines: string[] = [];
	const said: string[] = [];
	const output = { write: (text: string) => void lines.push(text), say: (text: string) => void said.push(text) };
	const code = await runCommand(args, output);
	return { code, out: lines.join("\n"), err: said.join("\n"), json: () => JSON.parse(lines.join("\n")) };
}

/**
 * Puts a corpus, a knowledge base and a benchmark, all called `towns`, into a workspace: passage `town#N` says that Town N
 * has N00 inhabitants, task `tN` asks for it. `more` adds to a task.
 */
export async function makeTowns(
	workspace: string,
	{ towns, more = () => ({}) }: { towns: number; more?: (n: number) => object },
): Promise<void> {
	const made = { name: "towns", licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(join(workspace, "corpora/towns"), made);
	for (let n = 0; n < towns; n += 1)
		corpus.add({
			...{ kind: "passage", id: `town#${n}`, document: `town-${n}`, title: `Town ${n}`, language: "en", form: "prose" },
			...{ text: `Town ${n} has ${n}00 inhabitants.`, sha256: sha256(`town ${n}`), provenance: { source: "test" } },
		});
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/towns"), join(workspace, "knowledge/towns"));
	await writeBenchmark(join(workspace, "benchmarks/towns"), {
		manifest: { ...made, title: "Towns", description: "Sizes of towns.", knowledge: "towns" },
		tasks: Array.from({ length: towns }, (_, n) =>
			Task.parse({
				id: `t${n}`,
				question: `How many inhabitants has Town ${n}?`,
				answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
				...more(n),
			}),
		),
		card: "# Towns",
	});
}

/** The gold chain of a town's task, of one hop: for `more`. */
export function withChain(n: number): object {
	const answer = { type: "string", value: `${n}00`, accepted: [`${n}00`] };
	const hop = { id: "a", question: `How many inhabitants has Town ${n}?`, modality: "text", evidence: [`town#${n}`] };
	return { chain: { hops: [{ ...hop, answer, needs: [] }], sink: "a" } };
}
