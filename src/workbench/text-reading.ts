import type { TextReading } from "#benchmarks";
import { fold, wordsOf } from "#corpus";
import { remembering } from "#domain";
import { readQuantities } from "#scoring";

/** Numbers are read in so many characters at a time, a little of the last ones again. */
const piece = 1900;
const again = 60;

/** Questions and answers are read by several checks; passages are long, and read once. */
const mostRemembered = 300;
const read = (text: string) => wordsOf(fold(text));
/** A check reads a task's texts one after another, several times: no more are kept, since a benchmark may have a million. */
const remembered = remembering(read, { most: 5000 });

/** How the commands that look at benchmarks read texts: the words that search knows, the numbers that scoring reads. */
export const textReading: TextReading = {
	words: (text) => (text.length > mostRemembered ? read(text) : remembered(text)),
	numbers(text, language) {
		const found: number[] = [];
		for (let at = 0; at < text.length; at += piece - again)
			for (const { low, high } of readQuantities(text.slice(at, at + piece), { language }))
				if (low === high) found.push(low);
		return found;
	},
};
