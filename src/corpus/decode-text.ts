/**
 * The text of bytes whose encoding nobody states: by its byte order mark; as UTF-16 where zero bytes stand on one side of
 * all pairs, as between Latin letters and spaces; else by `declared`; else UTF-8; else the Windows Latin that browsers
 * assume, which has Latin-1 in it. Throws with a short reason for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
	const label = byteOrderMark(bytes) ?? unmarkedUtf16(bytes) ?? declared;
	if (label === "windows-1252") return windowsLatin(bytes);
	if (label !== undefined) return new TextDecoder(label).decode(bytes);
	if (bytes.subarray(0, sampled).includes(0)) throw new Error("is not a text file (it holds zero bytes); not read");
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		const text = windowsLatin(bytes);
		if (controlShare(text.slice(0, sampled)) > mostControls)
			throw new Error("is not a text file (neither UTF-8, UTF-16 nor Latin-1); not read");
		return text;
	}
}

/** What Windows Latin has from 0x80 on in place of Latin-1's controls: some versions of Node decode it as Latin-1. */
const inPlaceOfControls = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

const windowsLatin = (bytes: Uint8Array) =>
	Buffer.from(bytes)
		.toString("latin1")
		.replace(/[\u0080-\u009f]/g, (control) => inPlaceOfControls[control.charCodeAt(0) - 0x80] ?? control);

const sampled = 8192;
/** Any bytes are Windows Latin, but those of programs and pictures hold controls that no text has. */
const mostControls = 0.01;

/** Pairs with a zero byte in UTF-16 of scripts that write spaces. */
const leastZeros = 0.05;

function byteOrderMark(bytes: Uint8Array): string | undefined {
	const [first, second, third] = bytes;
	if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
	if (first === 0xff && second === 0xfe) return "utf-16le";
	if (first === 0xfe && second === 0xff) return "utf-16be";
	return undefined;
}

function unmarkedUtf16(bytes: Uint8Array): string | undefined {
	if (bytes.length % 2 === 1) return undefined;
	const start = bytes.subarray(0, sampled);
	let even = 0;
	let odd = 0;
	for (const [place, byte] of start.entries())
		if (byte === 0 && place % 2 === 0) even += 1;
		else if (byte === 0) odd += 1;
	const zeros = even + odd;
	if ((even > 0 && odd > 0) || zeros < (leastZeros * start.length) / 2 || zeros === 0) return undefined;
	const label = odd > 0 ? "utf-16le" : "utf-16be";
	return /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/u.test(new TextDecoder(label).decode(start).replace(/[\t\n\f\r]|.$/gsu, ""))
		? undefined
		: label;
}

const inText = new Set("\t\n\f\r\u001b");

function controlShare(text: string): number {
	let controls = 0;
	for (const character of text) if (character < " " && !inText.has(character)) controls += 1;
	return controls / Math.max(1, text.length);
}
