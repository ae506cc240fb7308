import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import { pathOnDisk } from "#store";

/**
 * Functions of PDFium called for each character or object of a page, straight from the WebAssembly module: the
 * package's own wrappers check arguments at every call, which costs more than the call.
 */
export interface RawPdfium {
	memory: { buffer: ArrayBuffer };
	malloc(bytes: number): number;
	FPDFText_GetUnicode(text: number, index: number): number;
	FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number;
	FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
	FPDFText_GetTextObject(text: number, index: number): number;
	FPDFText_HasUnicodeMapError(text: number, index: number): number;
	FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
	FPDFText_GetFontSize(text: number, index: number): number;
	FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
	FPDFPageObj_GetMatrix(object: number, matrix: number): number;
	FPDFPageObj_GetType(object: number): number;
	FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
	FPDFPathSegment_GetType(segment: number): number;
	FPDFPathSegment_GetClose(segment: number): number;
}

export interface Library {
	/** All functions, checked. */
	pdfium: WrappedPdfiumModule;
	raw: RawPdfium;
	/** Address of 256 bytes for results. */
	scratch: number;
	/** Views of the module's memory, made anew when it has grown. */
	floats(): Float32Array;
	doubles(): Float64Array;
	bytes(): Uint8Array;
}

let loaded: Promise<Library> | undefined;

/** The one PDFium of this process. It touches no file and no network by itself. */
function library(): Promise<Library> {
	loaded ??= load();
	return loaded;
}

/** After a trap inside PDFium its memory is not to be trusted: the next document gets a new one. */
export function discardLibrary(): void {
	loaded = undefined;
}

async function load(): Promise<Library> {
	const file = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
	const bytes = await readFile(file);
	const wasmBinary = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
	const quiet = { print: () => {}, printErr: () => {} };
	const pdfium = await init({ wasmBinary, ...quiet } as Parameters<typeof init>[0]);
	pdfium.PDFiumExt_Init();
	const raw = pdfium.pdfium.wasmExports as unknown as RawPdfium;
	let views = viewsOf(raw.memory.buffer);
	const fresh = () => {
		if (views.buffer !== raw.memory.buffer) views = viewsOf(raw.memory.buffer);
		return views;
	};
	return {
		pdfium,
		raw,
		scratch: raw.malloc(256),
		floats: () => fresh().floats,
		doubles: () => fresh().doubles,
		bytes: () => fresh().bytes,
	};
}

const viewsOf = (buffer: ArrayBuffer) => ({
	buffer,
	floats: new Float32Array(buffer),
	doubles: new Float64Array(buffer),
	bytes: new Uint8Array(buffer),
});

export interface PdfDocument {
	library: Library;
	handle: number;
	pages: number;
	/** Entries of the document's information: `Title`, `Author`… */
	information(key: string): string;
	/** What the document says is printed on a page, where it says so. */
	label(page: number): string | undefined;
	close(): void;
}

/**
 * Opens a PDF, reading of the file only what is asked for: a file of any length opens in the memory of its tables.
 * A file whose end is missing is opened by what is left of it. Throws with a short reason when it is encrypted,
 * damaged or no PDF.
 */
export async function openPdf(path: string): Promise<PdfDocument> {
	const lib = await library();
	const { pdfium } = lib;
	const file = openSync(pathOnDisk(path), "r");
	try {
		if (!startsAsPdf(file)) throw new Error("is not a PDF (it does not begin with %PDF)");
		const source = sourceOf(lib, file);
		let handle = pdfium.FPDF_LoadCustomDocument(source.address, "");
		const code = handle ? 0 : pdfium.FPDF_GetLastError();
		if (code === damaged && source.append(trailerFor(file)))
			handle = pdfium.FPDF_LoadCustomDocument(source.address, "");
		if (!handle) {
			source.free();
			throw new Error(reasonOf(code));
		}
		return {
			library: lib,
			handle,
			pages: pdfium.FPDF_GetPageCount(handle),
			information: (key) => text(lib, (to, length) => pdfium.FPDF_GetMetaText(handle, key, to, length)) ?? "",
			label: (page) => text(lib, (to, length) => pdfium.FPDF_GetPageLabel(handle, page, to, length)),
			close: () => {
				try {
					pdfium.FPDF_CloseDocument(handle);
					source.free();
				} catch {
					// a library that was brought down is thrown away whole
				}
				closeSync(file);
			},
		};
	} catch (error) {
		closeSync(file);
		throw error;
	}
}

/** What PDFium reads a document through: the file, and bytes put behind it. */
function sourceOf({ pdfium: { pdfium }, bytes, raw }: Library, file: number) {
	const { size } = fstatSync(file);
	let tail = Buffer.alloc(0);
	const block = (_parameter: number, position: number, to: number, length: number) => {
		try {
			const from = position >>> 0;
			const [at, count] = [to >>> 0, length >>> 0];
			const here = Math.max(0, Math.min(count, size - from));
			if (here > 0 && readSync(file, bytes(), at, here, from) !== here) return 0;
			if (here < count) bytes().set(tail.subarray(from + here - size, from - size + count), at + here);
			return 1;
		} catch {
			return 0;
		}
	};
	const read = pdfium.addFunction(block, "iiiii");
	const address = raw.malloc(12);
	for (const [at, value] of [size, read, 0].entries()) pdfium.setValue(address + at * 4, value, "i32");
	return {
		address,
		append(more: string | undefined): boolean {
			if (more === undefined) return false;
			tail = Buffer.from(more, "latin1");
			pdfium.setValue(address, size + tail.length, "i32");
			return true;
		},
		free() {
			pdfium.removeFunction(read);
			pdfium.wasmExports.free(address);
		},
	};
}

const damaged = 3;
/** Longer files whose end is missing are not looked through, bytes. */
const mostSought = 256 * 1024 * 1024;

/** The end that a file lost: where its catalogue is. PDFium finds all other objects by looking through the file. */
function trailerFor(file: number): string | undefined {
	const { size } = fstatSync(file);
	if (size > mostSought) return undefined;
	const bytes = Buffer.alloc(size);
	readSync(file, bytes, 0, size, 0);
	const found = [
		...bytes.toString("latin1").matchAll(/(\d{1,10})\s+(\d{1,5})\s+obj\b[^>]{0,200}?\/Type\s*\/Catalog\b/g),
	].at(-1);
	return found && `\nendobj\ntrailer\n<< /Root ${found[1]} ${found[2]} R >>\nstartxref\n0\n%%EOF\n`;
}

/** Readers of PDF accept bytes before the header, so it is sought in the first 1,024. */
function startsAsPdf(descriptor: number): boolean {
	const head = Buffer.alloc(1024);
	const length = readSync(descriptor, head, 0, head.length, 0);
	return head.subarray(0, length).includes("%PDF");
}

function reasonOf(code: number): string {
	if (code === 4) return "is encrypted: it opens only with a password. Save it without one";
	if (code === 5) return "is encrypted in a way that cannot be opened. Save it without encryption";
	return "is damaged or cut short: no PDF reader's tables were found in it";
}

/** A string that PDFium writes as UTF-16 with a closing zero, asking for its length first. */
function text(lib: Library, write: (to: number, length: number) => number): string | undefined {
	const length = write(0, 0);
	if (length <= 2 || length > 65_536) return undefined;
	const to = lib.raw.malloc(length);
	write(to, length);
	const bytes = Buffer.from(lib.bytes().slice(to, to + length - 2));
	lib.pdfium.pdfium.wasmExports.free(to);
	return bytes.toString("utf16le");
}
