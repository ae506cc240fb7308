/** How a relation is written down before its phrases are completed. */

export interface Wording {
	from: string;
	to: string;
	unit?: string;
	single?: boolean;
	inverseSingle?: boolean;
	impliesInverse?: string;
	en: Words;
	es: Words;
}

/** Noun phrases, questions made of them unless given, and the same from the other end. */
export interface Words {
	noun: string[];
	question?: string[];
	inverseNoun?: string[];
	inverseQuestion?: string[];
	/** "has the larger area", "has the smaller area". */
	comparison?: [more: string, less: string];
}
