import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Command, Option } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandsOn, makeTowns, runHere } from "../../test/support/commands.ts";
import { createProgram, runCommand } from "./program.ts";

let program: Command;
let workspace: string;
const hopscope = commandsOn(() => workspace);

beforeAll(async () => {
	program = await createProgram({ write: () => {}, say: () => {} });
	workspace = await mkdtemp(join(tmpdir(), "hopscope-program-"));
	await makeTowns(workspace, { towns: 2 });
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

/** Every command with those behind it. */
const withThoseBehind = (command: Command): Command[] => [command, ...command.commands.flatMap(withThoseBehind)];
const optionsOf = (command: Command): readonly Option[] => command.options;

describe("options", () => {
	test("a short flag means the same in every command", () => {
		const meanings = new Map<string, Set<string>>();
		for (const command of withThoseBehind(program))
			for (const { short, long } of optionsOf(command))
				if (short) meanings.set(short, (meanings.get(short) ?? new Set()).add(long ?? short));
		const several = [...meanings].filter(([, longs]) => longs.size > 1).map(([short, longs]) => [short, ...longs]);
		expect(several).toEqual([]);
		expect(meanings.get("-n")).toEqual(new Set(["--knowledge"]));
		expect(meanings.get("-k")).toEqual(new Set(["--k"]));
		expect(meanings.size).toBeGreaterThan(10);
	});
	test("the knowledge base is -n wherever it is named", () => {
		const without = withThoseBehind(program).filter((command) =>
			optionsOf(command).some(({ long, short }) => long === "--knowledge" && short !== "-n"),
		);
		expect(without.map((command) => command.name())).toEqual([]);
	});
});

describe("help", () => {
	test("lists the commands in groups, and tells the exit codes", async () => {
		const { code, out } = await runHere(["--help"]);
		expect(code).toBe(0);
		const heads = [...out.matchAll(/^([A-Z][a-z]+):$/gm)].map(([, head]) => head);
		expect(heads).toEqual(["Options", "Data", "Run", "Analyse", "Benchmarks", "Train", "Tools"]);
		expect(out).toMatch(
			/Exit codes: 0 done, or stopped by a budget of yours; 1 failed; [^;]*; 3 ended, but some tasks/,
		);
	});
	test("is as wide as the terminal, but for commands to copy", async () => {
		const lines: string[] = [];
		const output = { write: (text: string) => void lines.push(...text.split("\n")), say: () => {}, columns: 80 };
		await runCommand(["run", "--help"], output);
		const wide = lines.filter((line) => line.length > 80 && !/^ {2}\$ |^Usage/.test(line) && !/ {3,}/.test(line));
		expect(wide).toEqual([]);
		expect(lines.join(" ")).toContain("--replay needs neither key nor network.");
	});
	test("shows no earlier spelling, which works all the same", async () => {
		const { out } = await runHere(["benchmark", "--help"]);
		expect(out).toMatch(/^ {2}substitute /m);
		expect(out).not.toMatch(/swap|twins/);
		expect((await runHere(["benchmark", "swap", "--help"])).out).toContain("hopscope benchmark substitute [options]");
		expect((await runHere(["benchmark", "twins", "--help"])).out).toContain(
			"hopscope benchmark counterparts [options]",
		);
	});
});

describe("what is mistyped is answered with what may be meant", () => {
	test.each([
		["a command", ["diagnos", "x"], "Did you mean diagnose?"],
		["a command behind another", ["benchmark", "chek", "towns"], "Did you mean check?"],
		["an option", ["run", "--benchmrk", "towns"], "Did you mean --benchmark?"],
		["one of a few values", ["report", "x", "--format", "htlm"], "Did you mean html?"],
		["an agent", ["run", "-b", "towns", "-a", "extractiv"], "Did you mean extractive?"],
		["a benchmark", ["run", "-b", "twons", "-a", "extractive"], "Did you mean towns?"],
		["a knowledge base", ["search", "x", "-n", "town"], "Did you mean towns?"],
		["a format to read", ["import", "hotpot", "x.json"], "Did you mean hotpotqa?"],
		["a format to write", ["export", "towns", "-f", "baer", "-t", "x"], "Did you mean beir?"],
		["a recipe", ["make", "tracr"], "Did you mean tracer?"],
		["a table of a report", ["report", "x", "--views", "by-topolgy"], "Did you mean by-topology?"],
		[
			"a setting",
			["run", "-b", "towns", "-a", "arena", "-s", "serch+crop", "-m", "openai:x@http://127.0.0.1:1"],
			"search+crop?",
		],
		["the short flag of another meaning", ["benchmark", "check", "towns", "-k", "wiki"], "-n is a knowledge base"],
	])("%s", async (_, args, meant) => {
		const { code, err } = await hopscope(...args);
		expect(code).toBe(2);
		expect(err).toContain(meant);
		expect(err.split("\n")).toHaveLength(1);
	});
	test("a metric", async () => {
		expect((await runHere(["metric", "amls"])).err).toContain("Did you mean anls?");
	});
	test("what is nothing like any name is answered with the names alone", async () => {
		const { err } = await hopscope("run", "-b", "towns", "-a", "zzzzzz");
		expect(err).not.toContain("Did you mean");
		expect(err).toContain("Give one of: gold-replay");
	});
});

test("every document that a message names is in the package", () => {
	const root = join(import.meta.dirname, "../..");
	const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
	const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
		(file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
	);
	const named = new Set(
		sources.flatMap((file) => {
			const code = readFileSync(join(root, "src", file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
			return [...code.matchAll(/docs\/[\w/.-]+\.md/g)].map(([document]) => document);
		}),
	);
	expect(named).toContain("docs/formats.md");
	for (const document of named) {
		expect(readFileSync(join(root, document), "utf8")).not.toBe("");
		const held = files.some((file) => document === file || !relative(file, document).startsWith(".."));
		expect(held, document).toBe(true);
	}
});

describe("hopscope completion", () => {
	const complete = (script: string, line: string) => {
		// as bash does, which takes words apart at @ and = too
		const words = line.split(" ").flatMap((word) => (word === "" ? [""] : word.split(/([@=])/).filter(Boolean)));
		const asked = `${script}\nCOMP_LINE='${line}'\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})\nCOMP_CWORD=${words.length - 1}\n_hopscope\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
		const env = { ...process.env, HOPSCOPE_WORKSPACE: workspace };
		return execFileSync("bash", ["-c", asked], { encoding: "utf8", env }).trim().split("\n");
	};
	test("bash completes commands, options, choices and the names of a workspace", async () => {
		const { out } = await runHere(["completion", "bash"]);
		mkdirSync(join(workspace, "runs/towns-a"), { recursive: true });
		writeFileSync(join(workspace, "runs/towns-a/run.json"), "{}");
		expect(complete(out, "hopscope dia")).toEqual(["diagnose"]);
		expect(complete(out, "hopscope benchmark ch")).toEqual(["check"]);
		expect(complete(out, "hopscope run --bench")).toEqual(["--benchmark"]);
		expect(complete(out, "hopscope run --images ")).toEqual(["pictures", "captions"]);
		expect(complete(out, "hopscope run -b ")).toEqual(["towns"]);
		expect(complete(out, "hopscope run -a gold")).toEqual(["gold-replay"]);
		expect(complete(out, "hopscope diagnose to")).toEqual(["towns-a"]);
		for (const begun of ["@", "@l", "@las"]) expect(complete(out, `hopscope diagnose ${begun}`)).toEqual(["@last"]);
		expect(complete(out, "hopscope run --benchmark=")).toEqual(["towns"]);
		expect(complete(out, "hopscope run --images=p")).toEqual(["pictures"]);
		expect(complete(out, "hopscope run --workspace=no")).toEqual([""]);
		expect(complete(out, `hopscope diagnose --workspace=${workspace} to`)).toEqual(["towns-a"]);
		expect(complete(out, `hopscope diagnose -w ${workspace}/nowhere to`)).toEqual([""]);
		expect(complete(out, `hopscope diagnose --workspace=${workspace}/nowhere to`)).toEqual([""]);
		await rm(join(workspace, "runs"), { recursive: true });
	});
	test("the names of folders are never executed, and odd ones left out", async () => {
		const { out } = await runHere(["completion", "bash"]);
		for (const name of ["plain", "$(touch executed)", "`touch executed`", "two words", "*"])
			mkdirSync(join(workspace, "runs", name), { recursive: true });
		expect(complete(out, "hopscope diagnose pl")).toEqual(["plain"]);
		expect(complete(out, "hopscope diagnose ").filter((word) => !word.startsWith("-"))).toEqual(["plain", "@last"]);
		expect(existsSync("executed")).toBe(false);
		await rm(join(workspace, "runs"), { recursive: true });
	});
	test("zsh takes the same, fish has its own, and other shells are refused", async () => {
		expect((await runHere(["completion", "zsh"])).out).toMatch(/^autoload -Uz bashcompinit/);
		const fish = (await runHere(["completion", "fish"])).out;
		expect(fish).toMatch(/^complete -c hopscope -n '__fish_use_subcommand' -a run -d /m);
		expect(fish).toMatch(/-s b -l benchmark -xa '\(command ls \(__hopscope_workspace\)\/benchmarks/);
		expect((await runHere(["completion", "tcsh"])).code).toBe(2);
	});
});
