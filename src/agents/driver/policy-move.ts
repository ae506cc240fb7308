/** What a policy does with one turn. */
export type PolicyMove =
	/** A reply in the protocol's own words; `cut`: the policy's length ended it. */
	| { is: "says"; text: string; thought?: string; cut?: boolean }
	/** Calls in the provider's form, for protocols that declare tools. */
	| { is: "calls"; text?: string; calls: { name: string; arguments: unknown; id?: string }[] }
	/** A final answer that needs no reading. */
	| { is: "answers"; text: string };
