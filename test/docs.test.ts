import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "#cli";

const repository = join(import.meta.dirname, "..");
const pages = [
	"README.md",
	"CONTRIBUTING.md",
	...readdirSync(join(repository, "docs"), { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".md") && !file.startsWith("decisions"))
		.map((file) => join("docs", file)),
];
const textOf = (page: string) => readFileSync(join(repository, page), "utf8");

test("every link from one page to a file of the project leads somewhere", () => {
	const broken = pages.flatMap((page) =>
		[...textOf(page).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)]
			.map(([, target = ""]) => join(dirname(page), target))
			.filter((target) => !existsSync(join(repository, target)))
			.map((target) => `${page}: ${target}`),
	);
	expect(broken).toEqual([]);
});

test("README is one page", () => {
	expect(textOf("README.md").split("\n").length).toBeLessThan(90);
});

test("every command that the README and the guides show names a command and options that exist", async () => {
	const program = await createProgram({ write: () => {}, say: () => {} });
	const wrong: string[] = [];
	for (const page of pages.filter((page) => page === "README.md" || page.startsWith(join("docs", "guides"))))
		for (const line of commandLines(textOf(page))) {
			const fault = faultOf(program, line);
			if (fault !== undefined) wrong.push(`${relative(repository, join(repository, page))}: ${line}: ${fault}`);
		}
	expect(wrong).toEqual([]);
});

/** What stands after `hopscope` on the lines of code blocks, without comments and what a shell does with it. */
function commandLines(text: string): string[] {
	return [...text.matchAll(/^```[a-z]*\n([\s\S]*?)^```/gm)]
		.flatMap(([, block = ""]) => block.replaceAll("\\\n", " ").split("\n"))
		.flatMap((line) => [...line.matchAll(/(?:^|\$ |\| |&& )hopscope ((?:"[^"]*"|'[^']*'|[^"'#|&])*)/g)])
		.map(([, words = ""]) => words.trim());
}

function faultOf(program: Command, line: string): string | undefined {
	const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? "");
	let command = program;
	let at = 0;
	for (; at < words.length; at += 1) {
		const child = command.commands.find(
			(one) => one.name() === words[at] || one.aliases().includes(words[at] as string),
		);
		if (child === undefined) break;
		command = child;
	}
	if (at === 0) return "no such command";
	for (const word of words.slice(at)) {
		if (!/^-(?!\d)/.test(word) || word === "--") continue;
		const name = word.split("=")[0] as string;
		const known = command.options.some(({ short, long }) => name === short || name === long);
		if (!known && !["-h", "--help"].includes(name)) return `${command.name()} has no ${name}`;
	}
	return undefined;
}
