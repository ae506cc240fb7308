import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCorpus, readSources } from "#corpus";
import type { Evidence } from "#domain";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-names-"));
	await mkdir(join(dir, "docs"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Latin-1, so that `é` is the byte 0xE9, which is no UTF-8. */
const inDocs = (name: string) => Buffer.concat([Buffer.from(join(dir, "docs/")), Buffer.from(name, "latin1")]);

async function read(...paths: string[]) {
	const problems: string[] = [];
	const onProblem = ({ source, message }: { source: string; message: string }) =>
		void problems.push(`${source}: ${message}`);
	await readSources(paths, { dir: join(dir, "corpus"), name: "test" }, { onProblem });
	const evidence: Evidence[] = [];
	for await (const item of (await openCorpus(join(dir, "corpus"))).evidence()) evidence.push(item);
	return { problems, texts: new Map(evidence.map((item) => [item.id, "text" in item ? item.text : item.kind])) };
}

/** Other systems refuse such names. */
const onLinux = test.runIf(process.platform === "linux");

onLinux("names that are no UTF-8 are read by their bytes and cited by an escape that is nobody else's", async () => {
	await writeFile(inDocs("caf\u00e9.txt"), "Odd.");
	await writeFile(inDocs("caf%E9.txt"), "Looks like the odd one.");
	await writeFile(inDocs("100%.txt"), "A percent sign.");
	await mkdir(inDocs("b\u00ff"));
	await writeFile(inDocs("b\u00ff/inner.md"), "Inside.");
	const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>';
	await writeFile(inDocs("b\u00ff/fl\u00e4g.svg"), svg);
	await writeFile(inDocs("b\u00ff/fl\u00e4g.txt"), "A black square.");
	await writeFile(inDocs("b\u00ff/page.html"), '<main><p>A page.</p><img src="plain.svg" alt="plain"></main>');
	await writeFile(inDocs("b\u00ff/plain.svg"), svg);
	const { problems, texts } = await read(join(dir, "docs"));
	expect(problems).toEqual([]);
	expect(Object.fromEntries(texts)).toMatchObject({
		"docs/caf%25E9.txt#1": "Odd.",
		"docs/caf%E9.txt#1": "Looks like the odd one.",
		"docs/100%.txt#1": "A percent sign.",
		"docs/b%FF/inner.md#start": "Inside.",
		"docs/b%FF/fl%E4g.svg": "image",
	});
	const pictures = [...texts].filter(([id, text]) => id.startsWith("docs/b%FF/page.html") && text === "image");
	expect(pictures).toHaveLength(1);
	await rm(inDocs("caf%E9.txt"));
	expect((await read(join(dir, "docs"))).texts.get("docs/caf%E9.txt#1")).toBe("Odd.");
});

onLinux("a name that is no UTF-8 can be given, as Node hands arguments on", async () => {
	await writeFile(inDocs("caf\u00e9.txt"), "Odd.");
	expect([...(await read(join(dir, "docs", "caf\ufffd.txt"))).texts.keys()]).toEqual(["caf%E9.txt#1"]);
	await expect(read(join(dir, "docs", "tea\ufffd.txt"))).rejects.toThrow("does not exist");
});

onLinux("names with line ends, escapes, 255 bytes and two normal forms neither break lines nor meet", async () => {
	const long = `${"x".repeat(251)}.txt`;
	for (const name of ["new\nline.txt", "red\u001b[31m.txt", long]) await writeFile(inDocs(name), "Text.");
	for (const form of ["NFC", "NFD"] as const) await writeFile(join(dir, "docs", `é.txt`.normalize(form)), form);
	await symlink("nowhere", inDocs("to\nnowhere"));
	const { problems, texts } = await read(join(dir, "docs"));
	expect(problems).toEqual(["docs/to%0Anowhere: is a link; links are not followed"]);
	expect([...texts.keys()].sort()).toEqual(
		[
			"docs/new%0Aline.txt#1",
			"docs/red%1B[31m.txt#1",
			`docs/${long}#1`,
			`docs/${"é".normalize("NFC")}.txt#1`,
			`docs/${"é".normalize("NFD")}.txt#1`,
		].sort(),
	);
});
