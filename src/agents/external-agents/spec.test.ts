import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { externalAgent } from "./agent.ts";
import { isSpec, parseSpec, versionOf } from "./spec.ts";

test.each([
	["http://127.0.0.1:9000/answer", { is: "http", url: "http://127.0.0.1:9000/answer" }],
	["https://agent.example", { is: "http", url: "https://agent.example/" }],
	["exec:python3 agent.py --fast", { is: "exec", command: "python3 agent.py --fast" }],
	['observe: my-agent "$HOPSCOPE_QUESTION"', { is: "observe", command: 'my-agent "$HOPSCOPE_QUESTION"' }],
])("%s", (name, spec) => {
	expect(isSpec(name)).toBe(true);
	expect(parseSpec(name)).toEqual(spec);
});

test.each([
	"",
	"tagged",
	"exec:",
	"exec:  ",
	"http://",
	"ftp://x/y",
	"exec:a\nb",
	`exec:${"x".repeat(3000)}`,
])("%.20j is refused", (name) => {
	expect(() => externalAgent(name)).toThrow(expect.objectContaining({ code: "bad-agent", exitCode: 2 }));
});

test.each([
	"http://me:secret-word@host/",
	"http://host/?key=secret-word",
	"http://host/#secret-word",
])("an address that would be recorded with a secret is refused without it: %s", (name) => {
	expect(() => parseSpec(name)).toThrow("would be recorded");
	expect(() => parseSpec(name)).not.toThrow("secret-word");
});

test("the version follows the scripts that a command names", () => {
	const folder = mkdtempSync(join(tmpdir(), "hopscope-outside-"));
	try {
		const script = join(folder, "agent.py");
		const version = () => versionOf(parseSpec(`exec:python3 "${script}"`));
		expect(version()).toBe("1");
		writeFileSync(script, "print(1)");
		const first = version();
		expect(first).toMatch(/^1-[0-9a-f]{12}$/);
		writeFileSync(script, "print(2)");
		expect(version()).not.toBe(first);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
