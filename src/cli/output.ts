/** Where a command speaks: results to standard output, everything else to standard error. */
export interface Output {
	/** One line, or several, of the result. */
	write(text: string): void;
	/** One line for the person watching. */
	say(text: string): void;
	/** A line that replaces the last one where standard error is a terminal; undefined elsewhere. */
	overwrite?: (text: string) => void;
	colour?: boolean;
}

export function processOutput(): Output {
	const output: Output = {
		write: (text) => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`),
		say: (text) => void process.stderr.write(`${text}\n`),
		colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
	};
	if (process.stderr.isTTY) output.overwrite = (text) => void process.stderr.write(`\r\u001b[2K${text}`);
	return output;
}

/** Text that may come from anywhere, made safe for a terminal: no control characters, so no escape sequences. */
export function plain(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
	return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");
}
