import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReading, ReadingJob } from "#corpus";
import { realPath, sha256 } from "#store";
import { longTest } from "../../../test/long.ts";

let root: string;
let allowed: string;
beforeAll(async () => {
	root = realPath(await mkdtemp(join(tmpdir(), "hopscope-for-others-")));
	allowed = join(root, "documents");
	for (const folder of [allowed, join(root, "corpora", ".c.reading")]) await mkdir(folder, { recursive: true });
	await writeFile(join(root, "corpora", ".c.reading", "readers"), "n");
	for (const file of [join(allowed, "page.html"), join(root, "secret.html")]) await writeFile(file, page);
	await symlink(join(root, "secret.html"), join(allowed, "link.html"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const page = "<h1>Page</h1><p>Said on the page.</p>";
const options = { dpi: 0, ocr: [], scans: false };
const limits = { seconds: 20, memory: 600, pages: 100 };

/** What a worker makes of a job over one file. */
async function tried(file: { path: string; label: string; sha256?: string }): Promise<object> {
	const about = { name: "c", nonce: "n", roots: [allowed], options, limits };
	const { signal } = new AbortController();
	const { answer, close } = await openReading(about, {
		corpus: join(root, "corpora", "c"),
		folders: [allowed],
		signal,
	});
	const files = [{ size: page.length, sha256: sha256(page), sides: sha256(""), ...file }];
	const unit = { key: "0".repeat(40), tool: "html-pages-2", files };
	const job = ReadingJob.parse({ do: "read", unit, ms: 60_000, limits });
	try {
		return (await answer(job)).is;
	} finally {
		await close();
	}
}

longTest("only files within the folders that are allowed are opened, by whatever path and label", async () => {
	const refused = { is: "unable", reason: expect.stringContaining("is in no folder that a worker may read") };
	expect(await tried({ path: join(root, "secret.html"), label: "secret.html" })).toEqual(refused);
	expect(await tried({ path: join(allowed, "..", "secret.html"), label: "documents/secret.html" })).toEqual(refused);
	expect(await tried({ path: join(allowed, "link.html"), label: "documents/link.html" })).toEqual(refused);
	// its pictures would be looked for in the folder above
	expect(await tried({ path: join(allowed, "page.html"), label: "a/b/documents/page.html" })).toEqual(refused);
	const other = { path: join(allowed, "page.html"), label: "documents/page.html", sha256: sha256("other") };
	expect(await tried(other)).toMatchObject({ is: "unable", reason: expect.stringContaining("is another file") });
	expect(await readdir(join(root, "corpora", ".c.reading"))).toEqual(["readers"]);
	expect(await tried({ path: join(allowed, "page.html"), label: "documents/page.html" })).toEqual({ is: "read" });
	expect(await readdir(join(root, "corpora", ".c.reading"))).toContain("sheaves");
});

test("keys and labels that lead out of the folder are no job", () => {
	const file = { path: "/a", label: "a", size: 1, sha256: "0".repeat(64) };
	for (const key of ["../../escape", "0".repeat(39), ""]) {
		const unit = { key, tool: "html-pages-2", files: [file] };
		expect(ReadingJob.safeParse({ do: "read", unit, ms: 1 }).success).toBe(false);
	}
});
