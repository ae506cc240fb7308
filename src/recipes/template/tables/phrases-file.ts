import { Document } from "yaml";
import { Phrases } from "../phrases.ts";
import { readYamlFile } from "./yaml-file.ts";

const opening = ` How questions speak of your tables. Mend what reads badly; take out what nobody should ask (ask: false).
 "{}" stands for the known end of a fact. Each list may hold several wordings.
 to: a kind of thing ("city"), or number, time, string, image (a file beside the table).
 form of times, unit and decimal mark of numbers: how the cells are written; --types says it column by column.
 unit, more and less (who has more of it: "is longer"), arithmetic (add, difference, mean, divide) are for numbers.
 es: the same in Spanish, for questions in Spanish.`;

/** The phrases as YAML for a person to mend. */
export function phrasesYaml(phrases: Phrases): string {
	const document = new Document(phrases);
	document.commentBefore = opening;
	return document.toString({ lineWidth: 100, flowCollectionPadding: false });
}

/** Reads phrases; what does not fit is told with its place (exit 2). */
export const readPhrases = (file: string): Promise<Phrases> =>
	readYamlFile(file, Phrases, {
		code: "bad-phrases",
		remedy: "hopscope make template --graph TABLES --init shows the form.",
	});
