import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import PDFDocument from "pdfkit";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCorpus, readSources } from "#corpus";
import type { DocumentReport, Evidence } from "#domain";
import { longTest } from "../../../test/long.ts";
import { pdf } from "../pdf/index.ts";
import { defaultLimits, type ReadingLimits } from "./limits.ts";
import type { ReadingPool } from "./process-pool.ts";
import { createReadingPool, ReaderDied } from "./process-pool.ts";
import { readUnitOf } from "./read-job.ts";
import type { SourceProblem } from "./read-sources.ts";
import { run } from "./reading-task.ts";
import { unitOf } from "./unit.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-reading-"));
	await mkdir(join(dir, "sources"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const place = (...names: string[]) => join(dir, ...names);
const corpusDir = () => place("corpus");

interface ReadSources {
	problems: SourceProblem[];
	notes: string[];
	evidence: Evidence[];
	documents: DocumentReport[];
}

async function read(
	options: { htmlPages?: boolean; pagesFrom?: undefined; limits?: Partial<ReadingLimits> } = {},
): Promise<ReadSources> {
	const problems: SourceProblem[] = [];
	const notes: string[] = [];
	const onProblem = (problem: SourceProblem) => void problems.push(problem);
	const onNote = (note: string) => void notes.push(note);
	await readSources([place("sources")], { dir: corpusDir(), name: "test" }, { ...options, onProblem, onNote });
	const corpus = await openCorpus(corpusDir());
	return { problems, notes, evidence: await all(corpus.evidence()), documents: await all(corpus.documents()) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const item of items) list.push(item);
	return list;
}

/** A PDF of so many pages, each with a sentence of its own. */
async function pdfOf(pages: number, name: string): Promise<Buffer> {
	const document = new PDFDocument({ size: [300, 300], margin: 30 });
	for (let page = 0; page < pages; page += 1) {
		if (page > 0) document.addPage();
		document.fontSize(11).text(`Page ${page + 1} of ${name} tells of the ${page + 1}th lake of the region.`);
	}
	document.end();
	return Buffer.concat(await all(document as unknown as AsyncIterable<Buffer>));
}

/** What is kept of the reading, with the time that each was written. */
async function kept(): Promise<Map<string, number>> {
	const folder = place(".corpus.reading", "sheaves");
	const names = (existsSync(folder) ? await readdir(folder) : []).filter((name) => !name.endsWith(".part"));
	const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
	return new Map(names.map((name, index) => [name, times[index] ?? 0]));
}

describe("reading again", () => {
	longTest("reads only what changed; everything else keeps its ids and is not touched", async () => {
		await writeFile(place("sources", "a.pdf"), await pdfOf(3, "a"));
		await writeFile(place("sources", "b.pdf"), await pdfOf(2, "b"));
		await writeFile(place("sources", "c.md"), "# C\n\nThe third document.");
		const first = await read();
		const before = await kept();
		await writeFile(place("sources", "b.pdf"), await pdfOf(4, "another b"));
		const second = await read();
		const of = (source: string, { evidence }: typeof first) =>
			evidence.filter(({ provenance }) => provenance.source === source);
		for (const source of ["sources/a.pdf", "sources/c.md"]) expect(of(source, second)).toEqual(of(source, first));
		expect(of("sources/b.pdf", second).filter(({ kind }) => kind === "page")).toHaveLength(4);
		const after = await kept();
		const untouched = [...before].filter(([name, time]) => after.get(name) === time);
		// a's and c's evidence and reports; b's are gone
		expect(untouched.filter(([name]) => name.endsWith(".jsonl"))).toHaveLength(2);
		expect([...before.keys()].filter((name) => name.endsWith(".jsonl") && !after.has(name))).toHaveLength(1);
	});

	test("what was kept and is damaged is read again, not taken for what the files say", async () => {
		await writeFile(place("sources", "a.md"), "# A\n\nThe first document.\n\n## More\n\nOf it.");
		const { evidence } = await read();
		const folder = place(".corpus.reading", "sheaves");
		const [sheaf = ""] = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
		const whole = await readFile(join(folder, sheaf), "utf8");
		for (const damaged of ["", whole.slice(0, -20), `${whole}{]\n`, whole.replace("first", "worst")]) {
			await writeFile(join(folder, sheaf), damaged);
			expect((await read()).evidence).toEqual(evidence);
			expect(await readFile(join(folder, sheaf), "utf8")).toBe(whole);
		}
	});

	longTest("HTML that was indexed as one page stays one, and keeps its ids, until pages are asked for", async () => {
		const section = `<p>${"The river runs north here and is shallow. ".repeat(30)}</p>`;
		const long = Array.from({ length: 9 }, (_, n) => `<h2>Part ${n}</h2>${section}`).join("");
		await writeFile(place("sources", "river.html"), `<title>River</title><main>${long}</main>`);
		const before = await read({ htmlPages: false });
		expect(before.evidence.filter(({ kind }) => kind === "page")).toHaveLength(1);
		const again = await read();
		expect(again.evidence).toEqual(before.evidence);
		expect(again.notes).toEqual([expect.stringMatching(/stays one page .*--html-pages/)]);
		const paged = await read({ htmlPages: true });
		const pages = paged.evidence.filter(({ kind }) => kind === "page");
		expect(pages.length).toBeGreaterThan(3);
		// from then on it has pages without being asked, and a new corpus has them from the beginning
		expect(await read()).toEqual({ ...paged, notes: [] });
		await rm(place("corpus"), { recursive: true });
		expect((await read()).evidence).toEqual(paged.evidence);
		const { paging } = (await openCorpus(corpusDir())).manifest;
		expect(paging).toMatchObject([{ kind: "html", rule: "blocks-by-length-1", documents: 1 }]);
		expect(paging?.[0]?.parameters.characters).toBe(3000);
	});

	longTest(
		"ids count pages from 1; a corpus of before, which counts them from 0, keeps its ids as it grows",
		async () => {
			const ids = ({ evidence }: ReadSources) => evidence.filter(({ kind }) => kind === "page").map(({ id }) => id);
			await writeFile(place("sources", "lakes.pdf"), await pdfOf(2, "lakes"));
			const before = await read({ pagesFrom: undefined });
			expect(ids(before)).toEqual(["sources/lakes.pdf#p0", "sources/lakes.pdf#p1"]);
			await writeFile(place("sources", "rivers.pdf"), await pdfOf(1, "rivers"));
			expect(ids(await read())).toEqual([...ids(before), "sources/rivers.pdf#p0"]);
			await rm(place("corpus"), { recursive: true });
			expect(ids(await read())).toEqual(
				["lakes.pdf#page=1", "lakes.pdf#page=2", "rivers.pdf#page=1"].map((id) => `sources/${id}`),
			);
		},
	);

	longTest("an image's caption file counts as part of it", async () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>';
		await writeFile(place("sources", "flag.svg"), svg);
		await writeFile(place("sources", "flag.txt"), "a black square");
		expect((await read()).evidence).toMatchObject([{ caption: "a black square" }]);
		await writeFile(place("sources", "flag.txt"), "a dark square");
		expect((await read()).evidence).toMatchObject([{ caption: "a dark square" }]);
	});
});

longTest("every file has its line in documents.jsonl, those that gave nothing too, and pages add up", async () => {
	const good = await pdfOf(3, "good");
	await writeFile(place("sources", "good.pdf"), good);
	await writeFile(place("sources", "torn.pdf"), good.subarray(0, 300));
	await writeFile(place("sources", "film.mov"), "x");
	await writeFile(place("sources", "lines.jsonl"), '{"title": "A", "text": "Alpha."}\n{broken\n');
	const { documents, problems } = await read();
	expect(documents.map(({ source, status }) => [source, status.is])).toEqual([
		["sources/film.mov", "failed"],
		["sources/good.pdf", "ok"],
		["sources/lines.jsonl", "partly"],
		["sources/torn.pdf", "failed"],
	]);
	expect(documents[1]).toMatchObject({ pages: { count: 3, ok: 3, partly: 0, failed: 0 }, counts: { page: 3 } });
	expect(problems.map(({ source }) => source).sort()).toEqual([
		"sources/film.mov",
		"sources/lines.jsonl:2",
		"sources/torn.pdf",
	]);
});

longTest("a reading killed half-way resumes: what was read is not read again, and the corpus is the same", async () => {
	for (let n = 0; n < 8; n += 1) await writeFile(place("sources", `${n}.pdf`), await pdfOf(30, `document ${n}`));
	const whole = await read();
	await rm(place("corpus"), { recursive: true });
	await rm(place(".corpus.reading"), { recursive: true });
	const child = start();
	await until(async () => [...(await kept()).keys()].filter((name) => /^\w+\.json$/.test(name)).length >= 4);
	child.kill("SIGKILL");
	await new Promise((resolve) => child.once("exit", resolve));
	expect(existsSync(place("corpus", "corpus.json"))).toBe(false);
	const before = await kept();
	const again = await read();
	const after = await kept();
	// whole units have a report; theirs stayed as they were
	const done = [...before].filter(([name]) => /^\w+\.json$/.test(name));
	expect(done.length).toBeGreaterThanOrEqual(4);
	for (const [name, time] of done) expect(after.get(name)).toBe(time);
	expect(again.evidence).toEqual(whole.evidence);
	expect(await readFile(place("corpus", "evidence.jsonl"), "utf8")).not.toBe("");
});

/** The same reading in a process of its own, from the built files. */
function start(): ChildProcess {
	const script = `import { readSources } from "#corpus";
		await readSources([${JSON.stringify(place("sources"))}], { dir: ${JSON.stringify(corpusDir())}, name: "test" }, { onProblem() {} });`;
	return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
	for (let tries = 0; tries < 3000; tries += 1) {
		if (await holds()) return;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error("waited in vain");
}

describe("a reader that dies", () => {
	longTest("on one page takes only that page with it", async () => {
		const path = place("sources", "a.pdf");
		await writeFile(path, await pdfOf(6, "a"));
		const file = { path, label: "sources/a.pdf", size: 1, sha256: "0".repeat(64) };
		const options = { dpi: 0, ocr: [], scans: false };
		const unit = unitOf(pdf.tool, [file], options, { from: 0, to: 6 });
		// reads for real, and dies whenever it meets page 4
		const pool: ReadingPool = {
			size: 1,
			close() {},
			run(task) {
				const part = task.do === "read" ? task.unit.part : undefined;
				if (part && part.from <= 4 && part.to > 4)
					return Promise.reject(new ReaderDied("its reader ended with SIGSEGV"));
				return run(task);
			},
		};
		const job = { reader: pdf, files: [file], units: [unit], pages: 6, skip: new Map<number, string>() };
		const reading = await readUnitOf(job, unit, {
			place: { dir: place("kept"), options, limits: defaultLimits },
			pool,
		});
		const pages = reading.files.map((report) => report.pages);
		expect(pages.reduce((sum, one) => sum + (one?.ok ?? 0), 0)).toBe(5);
		expect(pages.reduce((sum, one) => sum + (one?.failed ?? 0), 0)).toBe(1);
		expect(reading.files.flatMap(({ problems }) => problems)).toEqual([
			{ at: ", page 5", message: "its reader ended with SIGSEGV" },
		]);
	});

	longTest("is told with the reason, and the pool goes on", async () => {
		const path = place("sources", "many.jsonl");
		const lines = Array.from({ length: 200_000 }, (_, n) =>
			JSON.stringify({ title: `t${n}`, text: "word ".repeat(20) }),
		);
		await writeFile(path, lines.join("\n"));
		const file = { path, label: "many.jsonl", size: 1, sha256: "0".repeat(64) };
		const options = { dpi: 0, ocr: [], scans: false };
		const task = (to: number) => ({
			do: "read" as const,
			unit: unitOf("jsonl-1", [file], options, { from: 0, to, line: 1 }),
			place: { dir: place("kept"), options, limits: defaultLimits },
		});
		const pool = createReadingPool();
		try {
			await expect(pool.run(task(20_000_000), { ms: 300 })).rejects.toThrow("it took longer than 0 s");
			const { files } = await pool.run(task(10_000), { ms: 30_000 });
			expect(files[0]?.counts.passage).toBeGreaterThan(50);
		} finally {
			await pool.close();
		}
	});
});

describe("a document that takes more than it may", () => {
	/** Pages with one content each: a sentence, or a stretch of white space that a small file unpacks to so many bytes. */
	const bomb = (pages: (string | number)[], filter = "/Filter /FlateDecode") =>
		pdfFile([
			"<< /Type /Catalog /Pages 2 0 R >>",
			`<< /Type /Pages /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ")}] /Count ${pages.length} >>`,
			"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
			...pages.flatMap((content, index) => [
				`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
				packed(
					typeof content === "string"
						? Buffer.from(`BT /F1 12 Tf 72 700 Td (${content}) Tj ET`)
						: Buffer.alloc(content, "10 10 5 5 re f\n"),
					filter,
				),
			]),
		]);

	function packed(content: Buffer, filter: string): Buffer {
		const times = filter.split("FlateDecode").length - 1;
		let bytes = content;
		for (let time = 0; time < times; time += 1) bytes = deflateSync(bytes, { level: 9 });
		const head = `<< /Length ${bytes.length} ${filter} >>\nstream\n`;
		return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\nendstream")]);
	}

	function pdfFile(objects: (string | Buffer)[]): Buffer {
		const parts = [Buffer.from("%PDF-1.7\n")];
		const starts: number[] = [];
		let at = parts[0]?.length ?? 0;
		for (const [index, object] of objects.entries()) {
			const whole = Buffer.concat([
				Buffer.from(`${index + 1} 0 obj\n`),
				Buffer.from(object),
				Buffer.from("\nendobj\n"),
			]);
			starts.push(at);
			at += whole.length;
			parts.push(whole);
		}
		const rows = starts.map((start) => `${`${start}`.padStart(10, "0")} 00000 n \n`).join("");
		const size = objects.length + 1;
		parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Root 1 0 R /Size ${size} >>\n`));
		parts.push(Buffer.from(`startxref\n${at}\n%%EOF\n`));
		return Buffer.concat(parts);
	}

	const megabytes = 1024 ** 2;
	/** Elsewhere the system does not tell a process's memory. */
	const onLinux = longTest.runIf(process.platform === "linux");

	onLinux("loses the page that does it; the pages and documents around it are read", async () => {
		await writeFile(place("sources", "bomb.pdf"), bomb(["First page.", 120 * megabytes, "Third page."]));
		await writeFile(place("sources", "good.pdf"), await pdfOf(1, "good"));
		const { documents, evidence, problems } = await read({ limits: { memory: 300 } });
		expect(documents.map(({ source, pages }) => [source, pages])).toEqual([
			["sources/bomb.pdf", { count: 3, ok: 2, partly: 0, failed: 1 }],
			["sources/good.pdf", { count: 1, ok: 1, partly: 0, failed: 0 }],
		]);
		expect(evidence.filter(({ kind }) => kind === "passage")).toHaveLength(3);
		expect(problems).toEqual([
			{
				source: "sources/bomb.pdf, page 2",
				message: "it needed more than 300 MB of memory (--document-memory)",
			},
		]);
		// what was cut is kept under these limits, and read anew under others
		const before = await kept();
		await read({ limits: { memory: 300 } });
		expect(await kept()).toEqual(before);
	});

	longTest("has no more pages than are allowed, and says how many there are", async () => {
		await writeFile(place("sources", "long.pdf"), await pdfOf(30, "long"));
		const { documents, evidence, problems } = await read({ limits: { pages: 26 } });
		expect(evidence.filter(({ kind }) => kind === "page")).toHaveLength(26);
		expect(documents[0]).toMatchObject({ pages: { count: 30, ok: 26 }, status: { is: "partly" } });
		expect(problems).toEqual([
			{ source: "sources/long.pdf", message: "pages 1-26 of 30 kept; more are not read (--document-pages)" },
		]);
	});

	onLinux("of pictures that are read together takes only itself with it", async () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>';
		for (const name of ["a", "c"]) await writeFile(place("sources", `${name}.svg`), svg);
		const side = 9000;
		const interlaced = await sharp({ create: { width: side, height: side, channels: 3, background: "red" } })
			.png({ progressive: true })
			.toBuffer();
		await writeFile(place("sources", "b.png"), interlaced);
		const { evidence, problems } = await read({ limits: { memory: 250 } });
		expect(evidence.map(({ id }) => id)).toEqual(["sources/a.svg", "sources/c.svg"]);
		expect(problems).toEqual([
			{ source: "sources/b.png", message: "it needed more than 250 MB of memory (--document-memory); not read" },
		]);
	});

	longTest("is not read beyond its processor time; what was read by then stays", async () => {
		const heavy = Array.from({ length: 8 }, () => 40 * megabytes);
		await writeFile(place("sources", "heavy.pdf"), bomb(["First page.", ...heavy]));
		await writeFile(place("sources", "good.pdf"), await pdfOf(1, "good"));
		const { documents, problems } = await read({ limits: { seconds: 2, memory: 4000 } });
		expect(documents[0]?.status).toEqual({ is: "ok" });
		expect(documents[1]?.pages).toMatchObject({ count: 9, ok: 1, failed: 8 });
		const told = problems.map(({ message }) => message).join("\n");
		expect(told).toMatch(/it took more than 1 s of processor time \(--document-seconds\)/);
		expect(told).toMatch(/not read: its document took more than \d s of processor time/);
	});

	longTest(
		"that unpacks to hundreds of megabytes, nested or page by page, loses those pages and no others",
		async () => {
			const twice = "/Filter [/FlateDecode /FlateDecode]";
			await writeFile(place("sources", "large.pdf"), bomb([440 * megabytes, "Last page."]));
			await writeFile(place("sources", "nested.pdf"), bomb(["First page.", 440 * megabytes], twice));
			await writeFile(place("sources", "many.pdf"), bomb(Array.from({ length: 30 }, () => 25 * megabytes)));
			const { documents } = await read();
			const [large, many, nested] = documents;
			expect(large?.pages).toEqual({ count: 2, ok: 1, partly: 0, failed: 1 });
			expect(nested?.pages).toEqual({ count: 2, ok: 1, partly: 0, failed: 1 });
			expect(many?.pages?.count).toBe(30);
			expect(many?.pages?.failed).toBeGreaterThan(0);
		},
	);
});
