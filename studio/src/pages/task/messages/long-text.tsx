import { useState } from "react";
import type { TaskKey } from "../../../../../src/studio/pages.ts";
import { useData } from "../../../data/source.ts";
import { showCount } from "../../../parts/format.ts";
import styles from "./long-text.module.css";

/** A text of a message, of which more is fetched when it is asked for: it may be of many megabytes. */
export function LongText({
	text,
	length,
	run,
	of,
}: {
	text: string;
	length: number;
	run: string;
	of: TaskKey & { message: number; part: number };
}) {
	const data = useData();
	const [parts, setParts] = useState([text]);
	const [state, setState] = useState<"idle" | "fetching" | "ended" | Error>("idle");
	const read = parts.reduce((sum, part) => sum + part.length, 0);
	async function more() {
		setState("fetching");
		try {
			const next = await data.text(run, { ...of, offset: read });
			if (next !== "") setParts((before) => [...before, next]);
			setState(next === "" ? "ended" : "idle");
		} catch (error) {
			setState(error instanceof Error ? error : new Error(String(error)));
		}
	}
	return (
		<div className={styles.text} dir="auto">
			{parts.map((part, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: parts only follow each other
				<pre key={at} className={styles.part}>
					{part}
				</pre>
			))}
			{read < length && (
				<p className={styles.more}>
					{state !== "ended" && (
						<button type="button" onClick={() => void more()} disabled={state === "fetching"}>
							Read on
						</button>
					)}{" "}
					{showCount(read)} of {showCount(length)} characters{state === "ended" && "; an export holds no more"}
					{state instanceof Error && <span role="alert"> · {state.message}</span>}
				</p>
			)}
		</div>
	);
}
