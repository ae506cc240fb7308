import { readFile } from "node:fs/promises";
import { Document, parseDocument } from "yaml";
import { usageError } from "#domain";
import { Phrases } from "../phrases.ts";

const opening = ` How questions speak of your tables. Mend what reads badly; take out what nobody should ask (ask: false).
 "{}" stands for the known end of a fact. Each list may hold several wordings.
 to: a kind of thing ("city"), or number, time (YYYY or YYYY-MM-DD), string, image (a file beside the table).
 unit, more and less (who has more of it: "is longer"), arithmetic (add, difference, mean, divide) are for numbers.
 es: the same in Spanish, for questions in Spanish.`;

/** The phrases as YAML for a person to mend. */
export function phrasesYaml(phrases: Phrases): string {
	const document = new Document(phrases);
	document.commentBefore = opening;
	return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** Reads phrases; what does not fit is told with its place (exit 2). */
export async function readPhrases(file: string): Promise<Phrases> {
	const text = await readFile(file, "utf8").catch((cause: unknown) => {
		throw unreadable(file, "cannot be read", cause);
	});
	const document = parseDocument(text);
	const [error] = document.errors;
	if (error) throw unreadable(file, error.message.split("\n")[0] ?? "is no YAML", error);
	const parsed = Phrases.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw unreadable(file, `at ${issue?.path.join(".") || "the top"}: ${issue?.message}`, parsed.error);
}

const unreadable = (file: string, problem: string, cause: unknown) =>
	usageError("bad-phrases", `${file}: ${problem}`, "hopscope make template --graph TABLES --init shows the form.", {
		cause,
	});
