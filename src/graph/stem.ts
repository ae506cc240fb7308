import { ownField } from "#domain";

/** Forms that share no beginning with what they mean; of the relations that questions ask for most. */
const irregular: Record<string, string> = {
	born: "birth",
	die: "death",
	died: "death",
	dies: "death",
	dead: "death",
	wrote: "write",
	written: "write",
	won: "win",
	led: "lead",
	held: "hold",
	built: "build",
	made: "make",
	sang: "sing",
	sung: "sing",
	wed: "marry",
	wife: "marry",
	husband: "marry",
	spouse: "marry",
	grew: "grow",
	taught: "teach",
	fought: "fight",
	bought: "buy",
	sold: "sell",
	ran: "run",
};

/**
 * What forms of a word have in common: its first five letters, which inflection and derivation mostly leave alone
 * ("directed", "director"), shorter words without their ending. Coarser than a stemmer, since a relation and a question
 * say one thing as verb and as noun.
 */
export function stem(word: string): string {
	const plain = ownField(irregular, word) ?? word;
	const bare =
		plain.length > 3 ? plain.replace(/(?:ies|y)$/, "i").replace(/(?:(?<=[^aeiou])es|ed|ing|s|d|e)$/, "") : plain;
	return bare.slice(0, 5);
}
