import { decodeText } from "../decode-text.ts";

/** The text of a page, in the encoding that it declares where no byte order mark says another. */
export function decodeHtml(bytes: Uint8Array): string {
	const start = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
	const declared =
		/<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1] ??
		/^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start)?.[1];
	return decodeText(bytes, known(declared));
}

/** A declared encoding that the decoder knows; UTF-16 cannot be what a declaration in plain bytes was written in. */
function known(label: string | undefined): string | undefined {
	if (label === undefined || /^utf-?16/i.test(label)) return undefined;
	try {
		return new TextDecoder(label).encoding;
	} catch {
		return undefined;
	}
}
