import type { Price } from "#models";

/** Where the run's model is asked, for programs that ask it themselves: their requests are passed on as they are. */
export interface Upstream {
	/** As the provider knows it, e.g. `gpt-5`. */
	model: string;
	/** With its version: `https://api.openai.com/v1`, `https://api.anthropic.com/v1`, `http://127.0.0.1:8000/v1`. */
	baseUrl: string;
	/** What authorises a request, e.g. `authorization`. The program never sees it, and nothing records it. */
	headers(): Record<string, string>;
	/** What the tokens of the model that the program asked for cost, where that is written down. */
	price?(asked: string | undefined): Price | undefined;
}
