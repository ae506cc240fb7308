import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "#cli";

const repository = join(import.meta.dirname, "..");
const textOf = (page: string) => readFileSync(join(repository, page), "utf8");
const files = packedFiles();
const pages = files.filter((file) => file.endsWith(".md"));

test("every link of a packed page leads to a file that is packed too, and to a heading there", () => {
	const linked = pages.flatMap((page) =>
		[...textOf(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?/g)].map(([, target, heading]) => ({
			page,
			target: target ? join(dirname(page), target) : page,
			heading,
		})),
	);
	const dead = linked.filter(({ target, heading }) =>
		heading
			? !files.includes(target) || !headingsOf(target).has(heading)
			: !files.some((file) => isAtOrIn(file, target)),
	);
	expect(dead).toEqual([]);
	expect(linked.length).toBeGreaterThan(400);
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

/** Paths of the files that `npm pack` takes. */
function packedFiles(): string[] {
	const told = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
		cwd: repository,
		encoding: "utf8",
	});
	return (JSON.parse(told) as [{ files: { path: string }[] }])[0].files.map(({ path }) => path);
}

function isAtOrIn(file: string, target: string): boolean {
	return file === target || file.startsWith(`${target}/`);
}

/** The anchors that renderers of Markdown give to a page's headings. */
function headingsOf(page: string): Set<string> {
	const headings = [
		...textOf(page)
			.replaceAll(/^```[\s\S]*?^```/gm, "")
			.matchAll(/^#+ (.*)$/gm),
	];
	return new Set(
		headings.map(([, text = ""]) =>
			text
				.toLowerCase()
				.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
				.replaceAll(" ", "-"),
		),
	);
}

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
