/** The studio as a folder of files that opens from disk: the same pages over the same data, without a server. */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { HopscopeError, packageFile, setField } from "#domain";
import type { ReportData } from "#reports";
import type { Scorer } from "#scoring";
import { replaceFolder, sha256 } from "#store";
import { exportFiles, type Media, type MessageView, packTable, type RunLine, type TaskPage } from "#studio";
import { locate } from "../locate.ts";
import type { Bench } from "../work.ts";
import { exportComparisons } from "./export-comparisons.ts";
import { openStudio, type Studio } from "./open-studio.ts";

export interface ExportStudioOptions {
	/** The folder; one that holds something else is refused. */
	out: string;
	/** At most so many tasks of each run, spread over it; all where nothing is said. */
	sample?: number | undefined;
	/** Scorers beside the registered ones. */
	scorers?: readonly Scorer[] | undefined;
	/** What the report says of all these runs, where it is known. */
	data?: ReportData | undefined;
}

/** The file by which a folder is known for an export of ours. */
const marker = "studio.js";

/** Messages of a task that are written. */
const mostMessages = 400;

/** The longest sides of pictures: in a list, and looked at. */
const sides = { small: 144, large: 1100 } as const;

/** Writes runs as pages; returns the file to open. */
export async function exportStudio(
	names: readonly string[],
	{ out, sample, scorers, data }: ExportStudioOptions,
	bench: Bench,
): Promise<{ page: string; runs: string[]; tasks: number; pictures: number }> {
	const dirs = await Promise.all(names.map((name) => locate(bench.workspace, "runs", name)));
	const studio = await openStudio({ scorers, runs: dirs, apart: false }, bench);
	try {
		return await replaceFolder(out, marker, async (dir) => {
			const writer = await createWriter(dir);
			const pictures = createPictures(dir, studio);
			const lines: RunLine[] = [];
			let tasks = 0;
			let whole = true;
			const ids = dirs.map((folder) => basename(folder));
			const groups = await studio.comparable(ids);
			// the tables of several runs are those of each, beside one another
			const alone = dirs.length === 1 || dirs.length > exportFiles.mostTabled;
			for (const id of ids) {
				const group = groups.find((one) => one.includes(id)) ?? [id];
				const some = sample === undefined ? undefined : await studio.sample(group, sample);
				const about = { studio, some, alone, data: dirs.length === 1 ? data : undefined, writer, pictures, bench };
				const { page, written, cut } = await exportRun(id, about);
				whole &&= !cut;
				lines.push(page);
				tasks += written;
			}
			if (!alone) {
				bench.say(`making the tables of ${lines.length} runs`);
				const { page, texts } = await studio.wholeTables(ids, data);
				await writer.put(exportFiles.tables(), page);
				await writer.put(exportFiles.tableTexts(), texts);
			}
			await exportComparisons(groups, { studio, sample: whole ? undefined : sample, put: writer.put }, bench);
			await writer.put("index", { legend: await studio.legend(), runs: { workspace: "", runs: lines, live: false } });
			await copyPages(dir);
			const count = await pictures.done(bench);
			return { page: join(out, "index.html"), runs: lines.map(({ id }) => id), tasks, pictures: count };
		});
	} finally {
		await studio.close();
	}
}

interface Exporting {
	studio: Studio;
	/** The tasks that it is shown with, where not all are wanted. */
	some: ReadonlySet<string> | undefined;
	/** Whether its tables stand alone. */
	alone: boolean;
	/** What the report says of it. */
	data: ReportData | undefined;
	writer: Writer;
	pictures: Pictures;
	bench: Bench;
}

async function exportRun(run: string, { studio, some, alone, data, writer, pictures, bench }: Exporting) {
	const { page, table, facets, keys, rows, sources } = await studio.whole(run, some);
	const picture = (media: Media): Media => pictures.named({ run, sources }, media);
	const progress = bench.progress(`writing pages of ${run}`);
	const left =
		keys.length < page.line.done + page.line.errors
			? [`These pages hold ${keys.length} of its answers, to tasks that are evenly spread; the figures are of all.`]
			: [];
	const shown = { ...page, cautions: [...page.cautions, ...left] };
	await writer.put(exportFiles.run(run), { page: shown, table: packTable(table, base64), facets });
	for (const row of rows) if (row.picture) row.picture = picture(row.picture);
	for (const [part, some] of inParts(rows, exportFiles.rowsInFile)) await writer.put(exportFiles.rows(run, part), some);
	for (const [part, some] of inParts(keys, exportFiles.tasksInFile)) {
		bench.signal.throwIfAborted();
		const whole = await Promise.all(some.map((key) => studio.wholeTask(run, key, { messages: mostMessages })));
		const evidence: TaskPage["evidence"] = {};
		for (const card of whole.flatMap(({ page: one }) => Object.values(one.evidence)))
			if (!Object.hasOwn(evidence, card.id))
				setField(evidence, card.id, card.picture ? { ...card, picture: picture(card.picture) } : card);
		const tasks = whole.map(({ page: { evidence: _, ...task } }) => ({ ...task, images: task.images.map(picture) }));
		const messages = whole.map((one) => one.messages.map((message) => withPictures(message, picture)));
		await writer.put(exportFiles.tasks(run, part), { tasks, evidence });
		await writer.put(exportFiles.messages(run, part), messages);
		progress.update(Math.min((part + 1) * exportFiles.tasksInFile, keys.length), keys.length);
	}
	if (alone) {
		const tables = await studio.wholeTables([run], data);
		await writer.put(exportFiles.tables(run), tables.page);
		await writer.put(exportFiles.tableTexts(run), tables.texts);
	}
	const budget = await studio.wholeBudget(run);
	await writer.put(exportFiles.budget(run), budget.page);
	await writer.put(exportFiles.budgetTexts(run), budget.texts);
	progress.end();
	return { page: page.line, written: keys.length, cut: left.length > 0 };
}

const withPictures = (message: MessageView, picture: (media: Media) => Media): MessageView => ({
	...message,
	content: message.content.map((part) =>
		"picture" in part && part.picture ? { ...part, picture: picture(part.picture) } : part,
	),
});

function* inParts<Item>(items: readonly Item[], size: number): Generator<[number, Item[]]> {
	for (let at = 0; at < items.length; at += size) yield [at / size, items.slice(at, at + size)];
}

const base64 = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

interface Writer {
	put(name: string, data: unknown): Promise<void>;
}

const packed = promisify(gzip);

/** Data as scripts, since a page opened from disk may load scripts beside it and nothing else. */
async function createWriter(dir: string): Promise<Writer> {
	await mkdir(join(dir, "data"));
	return {
		async put(name, data) {
			const text = base64(await packed(JSON.stringify(data)));
			await writeFile(join(dir, "data", `${name}.js`), `hopscopeData(${JSON.stringify(name)},"${text}");\n`);
		},
	};
}

interface Pictures {
	/** The picture under the name that it has in the export; runs over the same sources share theirs. */
	named(from: { run: string; sources: string }, media: Media): Media;
	/** Writes all that were named; returns how many could be. */
	done(bench: Bench): Promise<number>;
}

function createPictures(dir: string, studio: Studio): Pictures {
	const wanted = new Map<string, { run: string; name: string }>();
	return {
		named({ run, sources }, media) {
			const name = sha256(`${sources} ${media.name}`).slice(0, 24);
			if (!wanted.has(name)) wanted.set(name, { run, name: media.name });
			return { ...media, name };
		},
		async done({ signal, progress: begin }) {
			const { default: sharp } = await import("sharp");
			await mkdir(join(dir, "media"));
			const progress = begin("writing pictures");
			let [written, seen] = [0, 0];
			const waiting = [...wanted];
			const next = async (): Promise<void> => {
				for (let one = waiting.pop(); one; one = waiting.pop()) {
					signal.throwIfAborted();
					const [name, { run, name: media }] = one;
					const file = await studio.media(run, media).catch(() => undefined);
					if (file && (await writePicture(file, name).catch(() => false))) written += 1;
					seen += 1;
					progress.update(seen, wanted.size);
				}
			};
			const writePicture = async (file: string, name: string): Promise<boolean> => {
				const source = sharp(file, { limitInputPixels: 200_000_000 });
				const { format, width = 0, height = 0, exif, xmp } = await source.metadata();
				// pages show it as it is, and it says nothing of where it was taken
				const isReady = format === "webp" && Math.max(width, height) <= sides.large && !exif && !xmp;
				if (isReady) await copyFile(file, join(dir, "media", `${name}.webp`));
				const image = source.rotate();
				for (const [size, side] of Object.entries(isReady ? { small: sides.small } : sides))
					await image
						.clone()
						.resize(side, side, { fit: "inside", withoutEnlargement: true })
						.webp({ quality: 76, effort: 1 })
						.toFile(join(dir, "media", `${name}${size === "small" ? "-small" : ""}.webp`));
				return true;
			};
			await Promise.all(Array.from({ length: 4 }, next));
			progress.end();
			return written;
		},
	};
}

/** What the pages of an export may do: run the scripts beside them and show the pictures beside them. */
const policy =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

async function copyPages(dir: string): Promise<void> {
	const built = packageFile("dist/studio");
	const html = await readFile(join(built, "index.html"), "utf8").catch(() => {
		throw new HopscopeError(
			"no-studio",
			`the pages of the studio are missing in ${built}`,
			"Build them: npm run build.",
		);
	});
	for (const name of ["studio.js", "studio.css"]) await copyFile(join(built, name), join(dir, name));
	const marked = html
		.replace('<html lang="en"', '<html lang="en" data-source="files"')
		.replace("<head>", `<head>\n\t\t<meta http-equiv="Content-Security-Policy" content="${policy}" />`);
	await writeFile(join(dir, "index.html"), marked);
}
