/** One thing said in a section: the first of its wordings, in an order drawn for the entity, whose facts all exist. */
export interface Saying {
	say: string[];
	/** Stands first and names the entity. */
	opens?: boolean;
	/** Said only while the passage is short. */
	extra?: boolean;
	/** Binds a letter to one of several objects; the wording must state that relation too. */
	with?: Record<string, string>;
}

/** A section of an article: one passage. */
export interface Section {
	id: string;
	/** Empty where the article has but one section. */
	title: string;
	/** The passage is written only if the entity has a fact by one of these. */
	needs?: string[];
	statements: Saying[];
}
