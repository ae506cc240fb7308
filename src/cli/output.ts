import { plainLine } from "#domain";

/** Where a command speaks: results to standard output, everything else to standard error. */
export interface Output {
	/** One line, or several, of the result. */
	write(text: string): void;
	/** For the person watching; acting characters of names and messages are made visible. */
	say(text: string): void;
	/** A line that replaces the last one where standard error is a terminal; undefined elsewhere. */
	overwrite?: (text: string) => void;
	colour?: boolean;
	/** Columns of the terminal that results go to; undefined where they go elsewhere. */
	columns?: number;
}

/** Narrower tables tell nothing. */
const narrowest = 60;

/** How tables are set on it. */
export const terminalOf = ({ colour, columns }: Output) => ({ colour: colour === true, width: columns });

export function processOutput(): Output {
	const output: Output = {
		write: (text) => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`),
		say: (text) =>
			void process.stderr.write(
				`${text
					.split("\n")
					.map((line) => plainLine(line))
					.join("\n")}\n`,
			),
		colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
	};
	if (process.stdout.isTTY && process.stdout.columns > 0) output.columns = Math.max(narrowest, process.stdout.columns);
	if (process.stderr.isTTY) output.overwrite = (text) => void process.stderr.write(`\r\u001b[2K${text}`);
	return output;
}
