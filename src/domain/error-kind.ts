import { clip } from "./plain-text.ts";

/** What errors have in common that differ in nothing but hashes, ids and long numbers, in a line. */
export const errorKind = (message: string): string =>
	clip(message.replace(/\s+/g, " ").trim().replace(particular, "…"), 160);

/** A UUID, a hash, an id as providers give them to requests (`req_011CS…`), a number of five digits or more. */
const particular =
	/\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|[a-z]{2,6}[_-](?=\w*\d)\w{12,}|\d{5,})\b/gi;
