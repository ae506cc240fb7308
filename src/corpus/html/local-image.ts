import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { fileInside, pathOnDisk } from "#store";
import type { Picture } from "../draft-page.ts";
import type { SourceFile } from "../find-files.ts";
import { imageExtensions } from "../image-file.ts";

const mostBytes = 64 * 1024 * 1024;
const mostInlineCharacters = 24 * 1024 * 1024;

/** The picture that an address in a document names: inside the address itself, or a file of the same source. */
export function pictureAt(address: string, alt: string, file: SourceFile): Picture | undefined {
	if (/^data:/i.test(address)) return inline(address, alt);
	const path = localFile(address, file);
	return path === undefined ? undefined : { key: path, alt, bytes: () => readFile(pathOnDisk(path)) };
}

/** The image file that an address leads to, never outside of the named source nor to another machine. */
export function localFile(address: string, file: SourceFile): string | undefined {
	if (/^(?:[a-z][a-z0-9+.-]*:|\/|\\|#)/i.test(address)) return undefined;
	let name = address.replace(/[?#].*$/s, "");
	try {
		name = decodeURIComponent(name);
	} catch {
		// a name with a bare percent sign
	}
	if (name.includes("\0") || !imageExtensions.has(extname(name).toLowerCase())) return undefined;
	const path = fileInside(sourceRoot(file), resolve(dirname(file.path), name));
	if (path === undefined) return undefined;
	const stats = statSync(pathOnDisk(path));
	return stats.isFile() && stats.size <= mostBytes ? path : undefined;
}

/** The folder of the named source: the label's path within it, taken off the file's. */
export function sourceRoot({ path, label }: SourceFile): string {
	return resolve(
		path,
		...label
			.split("/")
			.slice(1)
			.map(() => ".."),
		...(label.includes("/") ? [] : [".."]),
	);
}

function inline(address: string, alt: string): Picture | undefined {
	if (address.length > mostInlineCharacters) return undefined;
	const [, type = "", base64, data = ""] =
		/^data:([^,;]*)(?:;(?!base64)[^,;]*)*(;base64)?,([\s\S]*)$/i.exec(address) ?? [];
	if (!/^image\//i.test(type)) return undefined;
	return {
		key: `${data.length}:${data.slice(0, 256)}${data.slice(-256)}`,
		alt,
		bytes: () => (base64 ? Buffer.from(data, "base64") : Buffer.from(decodeURIComponent(data))),
	};
}

/** Image files that a page's markup names, as far as they are there: what is read of it depends on them. */
export function imagesNamedIn(file: SourceFile): string[] {
	if (file.size > mostBytes) return [];
	const html = readFileSync(pathOnDisk(file.path), "latin1");
	const found = new Set<string>();
	for (const [, address = ""] of html.matchAll(/<img\b[^>]{0,2000}?\bsrc\s*=\s*["']?([^"'\s>]{1,1000})/gi)) {
		const path = localFile(address.replaceAll("&amp;", "&"), file);
		if (path !== undefined) found.add(path);
	}
	return [...found].sort();
}
