import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import sharp from "sharp";
import { Evidence, type ImageEvidence, type Page, type Passage } from "#domain";
import { readCaptions } from "../../../src/corpus/captions.ts";
import { type Characters, defaultReading, type Part, type SourceReader } from "../../../src/corpus/reader.ts";

/** What one reader makes of one file. For tests of readers. */
export interface ReadAlone {
	evidence: Evidence[];
	pages: Page[];
	passages: Passage[];
	images: ImageEvidence[];
	problems: string[];
	characters: Characters | undefined;
}

/** Reads `root/name` with one reader, every evidence checked against its schema; images go to `root/.corpus`. */
export async function readAlone(reader: SourceReader, root: string, name: string, part?: Part): Promise<ReadAlone> {
	const path = join(root, name);
	const evidence: Evidence[] = [];
	const problems: string[] = [];
	const file = { path, label: `${root.split("/").at(-1)}/${name}`, size: (await stat(path)).size };
	const context = {
		dir: join(root, ".corpus"),
		options: defaultReading,
		add: (item: Evidence) => void evidence.push(Evidence.parse(item)),
		problem: (message: string, at = "") => void problems.push(`${at}${at && " "}${message}`),
		captions: (folder: string) => readCaptions(folder, () => {}),
	};
	const result = await reader.read(file, context, part);
	const ids = evidence.map(({ id }) => id);
	if (new Set(ids).size !== ids.length) throw new Error(`ids came twice: ${ids.join(", ")}`);
	return {
		evidence,
		pages: evidence.filter((item) => item.kind === "page"),
		passages: evidence.filter((item) => item.kind === "passage"),
		images: evidence.filter((item) => item.kind === "image"),
		problems,
		characters: result?.characters,
	};
}

export async function putFiles(root: string, files: Record<string, string | Uint8Array>): Promise<void> {
	for (const [name, content] of Object.entries(files)) {
		await mkdir(dirname(join(root, name)), { recursive: true });
		await writeFile(join(root, name), content);
	}
}

export const picture = (colour: string, width = 60, height = 40): Promise<Buffer> =>
	sharp({ create: { width, height, channels: 3, background: colour } })
		.png()
		.toBuffer();

/** A zip archive. `claim` makes an entry say another size than it has. */
export function zipOf(entries: Record<string, string | Uint8Array>, claim: Record<string, number> = {}): Buffer {
	const locals: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, content] of Object.entries(entries)) {
		const bytes = Buffer.from(content);
		const packed = deflateRawSync(bytes);
		const fields = Buffer.alloc(26);
		fields.writeUInt16LE(20, 0);
		fields.writeUInt16LE(0x800, 2);
		fields.writeUInt16LE(8, 4);
		fields.writeUInt32LE(crc32(bytes), 10);
		fields.writeUInt32LE(packed.length, 14);
		fields.writeUInt32LE(claim[name] ?? bytes.length, 18);
		fields.writeUInt16LE(Buffer.byteLength(name), 22);
		const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), packed]);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(offset, 10);
		directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, tail, Buffer.from(name));
		locals.push(local);
		offset += local.length;
	}
	const central = Buffer.concat(directory);
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", 0, "latin1");
	end.writeUInt16LE(Object.keys(entries).length, 8);
	end.writeUInt16LE(Object.keys(entries).length, 10);
	end.writeUInt32LE(central.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...locals, central, end]);
}
