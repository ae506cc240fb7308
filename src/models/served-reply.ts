/** What the server does with one request: a plain text is a good reply. */
export type ServedReply =
	| string
	| GoodReply
	| { is: "status"; status: number; message?: string; code?: string; param?: string; headers?: Record<string, string> }
	/** Any body as it stands, e.g. an HTML page or broken JSON. */
	| { is: "body"; body: string; contentType?: string; status?: number }
	/** Accepts the request and never answers. */
	| { is: "hang" }
	/** Sends the head and half of the body, then nothing more. */
	| { is: "stall" }
	/** Closes the connection without an answer. */
	| { is: "reset" }
	/** Sends the head and half of the body, then closes the connection. */
	| { is: "cut" }
	/** A good reply of which one byte comes in so many milliseconds. */
	| { is: "drip"; text: string; everyMs: number }
	/** Never stops sending. */
	| { is: "endless" };

/** A reply in the words of OpenAI's form; the server says it in the form that it was asked in. */
export interface GoodReply {
	is: "reply";
	text: string;
	/** `stop`, `length`, `tool_calls`, `content_filter`, or any word of the form itself. */
	finish?: string;
	model?: string;
	/** As it goes over the wire. */
	usage?: object;
	/** Arguments that are no text go as the form keeps them. */
	calls?: { id?: string; name: string; arguments: string | Record<string, unknown> }[];
	thought?: string;
	/** Handed back by a client that keeps the form's rules. */
	signature?: string;
	logprobs?: { token: string; logprob: number }[];
	/** The stop string that ended it. */
	stopped?: string;
}
