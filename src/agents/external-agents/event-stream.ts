/** The data of a body of server-sent events, each parsed as JSON; what is none, such as `[DONE]`, is left out. */
export function eventsOf(body: string): unknown[] {
	return body.split(/\r\n\r\n|\n\n|\r\r/).flatMap((event) => {
		const data = event
			.split(/\r\n|\n|\r/)
			.flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : []))
			.join("\n");
		try {
			return data === "" ? [] : [JSON.parse(data) as unknown];
		} catch {
			return [];
		}
	});
}
