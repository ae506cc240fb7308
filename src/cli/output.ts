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

/** Help as wide as the terminal: what was broken by hand is joined and broken anew; commands to copy stay whole. */
export function fitted(text: string, width: number): string {
	const lines: string[] = [];
	let isOpen = false;
	for (const line of text.split("\n")) {
		const isProse = /^\S/.test(line);
		if (isOpen && isProse) lines.push(`${lines.pop()} ${line}`);
		else lines.push(line);
		isOpen = isProse && line.length > narrowest;
	}
	return lines.flatMap((line) => (line.startsWith("  $ ") ? [line] : brokenAt(line, width))).join("\n");
}

function brokenAt(line: string, width: number): string[] {
	if (line.length <= width) return [line];
	const at = line.lastIndexOf(" ", width);
	const [margin = ""] = /^ */.exec(line) ?? [];
	if (at <= margin.length) return [line];
	return [line.slice(0, at), ...brokenAt(`${margin}${line.slice(at + 1).trimStart()}`, width)];
}

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
