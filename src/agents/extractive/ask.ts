/** What a question asks, as a tree: names and images at the leaves, facts to look up and computations above them. */

/** The kind of span that can answer. */
export type Want = "entity" | "person" | "place" | "number" | "date" | "year" | "any";

export type Ask =
	/** Something the question names; `type` is the noun it was introduced with ("film"). */
	| { is: "name"; name: string; type?: string }
	/** What a question image shows; `index` counts from 0. */
	| { is: "image"; index: number; type?: string }
	/** Something to look up: what stands in the relation `words` to what `of` names. `type` is the noun of the answer. */
	| { is: "fact"; words: string; of: Ask[]; want: Want; type?: string }
	/** The one of `choices` with the most or the least of `measure`; the answer is the choice itself. */
	| { is: "choose"; choices: Ask[]; measure: Measure; pick: "most" | "least" }
	/** Yes when the first has more (or less) of `measure` than the second. */
	| { is: "exceeds"; operands: Ask[]; measure: Measure; pick: "most" | "least" }
	/** Yes when the operands' answers agree. */
	| { is: "same"; operands: Ask[] }
	/** Yes when evidence that names the parts together carries the words. */
	| { is: "verify"; words: string; of: Ask[] }
	| { is: "arithmetic"; op: "sum" | "difference" | "mean" | "product" | "ratio"; operands: Ask[] }
	/** Something made from the letters, digits or days of an answer. */
	| { is: "transform"; transform: Transform; of: Ask };

/** Relations to look up one after another, innermost last, ending in something that can be ordered. */
export interface Measure {
	relations: string[];
	want: "number" | "date";
}

export type Transform =
	| { do: "name-part"; part: "first" | "last" }
	| { do: "letter"; at: "first" | "last"; among: "letters" | "vowels" | "consonants" }
	| { do: "count"; what: "letters" | "vowels" | "consonants"; unique: boolean }
	| { do: "code"; base: 2 | 10 }
	| { do: "case"; lower: boolean }
	| { do: "shift"; amount: number; unit: "day" | "week" | "month" | "year"; result: "date" | "year" }
	| { do: "weekday" };

/** What a reader looks for in passages. */
export interface Sought {
	/** The words of the relation, type noun included. */
	words: string;
	/** The names the relation starts from. */
	known: string[];
	want: Want;
	type?: string;
	/** Names that cannot be the answer: those that the question itself gives. */
	given: string[];
}
