/**
 * The short way through normalising: nearly all text that is matched is printable ASCII, where no option changes
 * anything and one pass over the characters does what four regular expressions do. Whatever else a text holds sends it
 * the general way; a property test holds the two to the same result.
 */

const kinds = new Uint8Array(128);
const [other, letter, mark, blank] = [0, 1, 2, 3];
for (let code = 0x21; code < 0x7f; code += 1)
	kinds[code] = /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? letter : mark;
for (const code of [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20]) kinds[code] = blank;

/**
 * The normalised words of a text where only a, an and the are dropped; undefined where the text is not plain. `letters`
 * keeps a bare A to E.
 */
export function plainTokens(text: string, { letters }: { letters: boolean }): string[] | undefined {
	const lower = text.toLowerCase();
	const { length } = lower;
	const found: string[] = [];
	// what a word holds before a mark inside it, and where the run after that begins
	let before = "";
	let from = -1;
	for (let at = 0; at <= length; at += 1) {
		const code = at < length ? lower.charCodeAt(at) : 0x20;
		const kind = code < 128 ? kinds[code] : other;
		if (kind === letter) {
			if (from < 0) from = at;
			continue;
		}
		if (kind === other) return undefined;
		if (from >= 0) {
			before = before === "" ? lower.slice(from, at) : before + lower.slice(from, at);
			from = -1;
		}
		if (kind === mark || before === "") continue;
		if (before !== "a" && before !== "an" && before !== "the") found.push(before);
		before = "";
	}
	const only = letters && found.length < 2 ? onlyCharacter(text) : "";
	return only >= "A" && only <= "E" ? [only] : found;
}

/** The one character of a text that is no blank; empty where there are more or none. */
function onlyCharacter(text: string): string {
	let only = "";
	for (let at = 0; at < text.length; at += 1) {
		if (kinds[text.charCodeAt(at)] === blank) continue;
		if (only !== "") return "";
		only = text.charAt(at);
	}
	return only;
}
