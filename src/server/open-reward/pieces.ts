/** Characters of one event's data: what the standard's own server sends. */
const mostCharacters = 4096;

/**
 * A value as JSON in pieces that survive the standard's clients: they drop whitespace of every kind at the beginning of
 * a piece. So everything but ASCII is written as an escape, and a space that would come first too.
 */
export function jsonPieces(value: unknown, most = mostCharacters): string[] {
	const text = JSON.stringify(value).replace(/[^\x20-\x7e]/g, escaped);
	const pieces: string[] = [];
	for (let from = 0; from < text.length; from += most) {
		const piece = text.slice(from, from + most);
		pieces.push(piece.startsWith(" ") ? escaped(" ") + piece.slice(1) : piece);
	}
	return pieces;
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
