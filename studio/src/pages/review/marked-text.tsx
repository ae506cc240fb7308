import { useMemo } from "react";
import styles from "./marked-text.module.css";

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A text in which some words are told apart, as they stand there, capitals or not. */
export function MarkedText({ text, marked }: { text: string; marked: readonly string[] }) {
	const pieces = useMemo(() => {
		if (marked.length === 0) return [text];
		return text.split(new RegExp(`(${marked.map(escaped).join("|")})`, "giu"));
	}, [text, marked]);
	return (
		<p className={styles.text} dir="auto">
			{pieces.map((piece, at) =>
				// biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name and never change places
				at % 2 === 1 ? <mark key={at}>{piece}</mark> : piece,
			)}
		</p>
	);
}
