import { ownField } from "#domain";
/** A piece of an XML document. */
export type XmlPiece =
	| { is: "open"; name: string; attributes: Map<string, string>; empty: boolean }
	| { is: "close"; name: string }
	| { is: "text"; text: string };

const attribute = /([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** A tag longer than this is an unclosed quotation mark. */
const longestTag = 1_000_000;

/**
 * The tags and texts of an XML document in order, names without their prefix. Entities that a document defines itself
 * are not resolved, so none can grow: a document type that defines any throws, as does a tag that does not end.
 */
export function* xmlPieces(xml: string): Generator<XmlPiece> {
	let at = 0;
	while (at < xml.length) {
		const start = xml.indexOf("<", at);
		if (start > at || start === -1)
			yield { is: "text", text: decoded(xml.slice(at, start === -1 ? xml.length : start)) };
		if (start === -1) return;
		if (xml.startsWith("<!--", start)) at = after(xml, "-->", start);
		else if (xml.startsWith("<![CDATA[", start)) {
			at = after(xml, "]]>", start);
			yield { is: "text", text: xml.slice(start + 9, at - 3) };
		} else if (xml.startsWith("<?", start)) at = after(xml, "?>", start);
		else if (xml.startsWith("<!", start)) {
			at = after(xml, ">", start);
			if (xml.slice(start, at).includes("[")) throw new Error("defines entities of its own, which are not resolved");
		} else {
			at = tagEnd(xml, start);
			yield* tag(xml.slice(start + 1, at - 1));
		}
	}
}

function* tag(body: string): Generator<XmlPiece> {
	if (body.startsWith("/")) {
		yield { is: "close", name: local(body.slice(1).trim()) };
		return;
	}
	const empty = body.endsWith("/");
	const inner = empty ? body.slice(0, -1) : body;
	const name = /^[^\s/]+/.exec(inner)?.[0] ?? "";
	const attributes = new Map<string, string>();
	for (const [, key = "", double, single] of inner.slice(name.length).matchAll(attribute))
		attributes.set(local(key), decoded(double ?? single ?? ""));
	yield { is: "open", name: local(name), attributes, empty };
	if (empty) yield { is: "close", name: local(name) };
}

/** The place behind the `>` that ends a tag, those inside quotation marks passed over. */
function tagEnd(xml: string, start: number): number {
	let quote = "";
	for (let at = start; at < Math.min(xml.length, start + longestTag); at += 1) {
		const character = xml[at] ?? "";
		if (quote !== "") quote = character === quote ? "" : quote;
		else if (character === '"' || character === "'") quote = character;
		else if (character === ">") return at + 1;
	}
	throw new Error(`a tag at character ${start} does not end`);
}

function after(xml: string, mark: string, from: number): number {
	const at = xml.indexOf(mark, from);
	if (at === -1) throw new Error(`what begins at character ${from} does not end with ${mark}`);
	return at + mark.length;
}

const local = (name: string) => name.slice(name.indexOf(":") + 1);

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Character references and the five entities of XML; any other is left as it stands. */
function decoded(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
		if (name) return ownField(named, name as string) ?? whole;
		const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
		return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : whole;
	});
}
