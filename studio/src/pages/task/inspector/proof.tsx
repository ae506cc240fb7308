import type { Quote } from "../../../../../src/studio/pages.ts";
import { Spans } from "../../../parts/spans.tsx";
import styles from "./inspector.module.css";
import type { Inspected } from "./inspector.tsx";
import { cardOf } from "./results.tsx";

/** The words in which a hop's value was seen, quoted, each with the step it stands in. */
export function Proof({ quotes, page, onSelect }: Pick<Inspected, "page" | "onSelect"> & { quotes: readonly Quote[] }) {
	if (quotes.length === 0) return null;
	return (
		<ul className={styles.proof}>
			{quotes.map((quote) => {
				const { by, step, evidence, text } = quote;
				const title = evidence === null ? "" : cardOf(page, evidence).title || evidence;
				return (
					<li key={`${by} ${step} ${evidence}`}>
						<small>
							{by === "evidence" ? (
								<>
									Stands in “<bdi>{title}</bdi>”, which{" "}
								</>
							) : (
								says[by]
							)}
							{step !== null && (
								<button type="button" className={styles.link} onClick={() => onSelect({ is: "step", index: step })}>
									step {step + 1}
								</button>
							)}
							{by === "evidence" ? " brought:" : ":"}
						</small>{" "}
						<q dir="auto">
							<Spans spans={text} />
						</q>
					</li>
				);
			})}
		</ul>
	);
}

const says: Record<Exclude<Quote["by"], "evidence">, string> = {
	"sub-answer": "Stated in ",
	query: "Searched for in ",
	thought: "Written before ",
	answer: "In the final answer",
};
