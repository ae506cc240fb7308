import type { ReviewAsk } from "../../../../src/studio/review-pages.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import styles from "./asks-form.module.css";

/** What is asked of an answer or a search, each with its options. */
export const AsksForm = ({
	asks,
	given,
	at,
	onAt,
	onChoose,
}: {
	asks: readonly ReviewAsk[];
	given: Readonly<Record<string, string[]>>;
	at: number;
	onAt: (at: number) => void;
	onChoose: ((ask: string, value: string) => void) | undefined;
}) => (
	<div className={styles.asks}>
		{asks.map(({ name, title, meaning, options, several }, index) => (
			<fieldset key={name} className={styles.ask} data-here={index === at || undefined} onFocus={() => onAt(index)}>
				<legend>
					{title}
					{meaning !== "" && <small>{meaning}</small>}
				</legend>
				<div className={styles.options} data-several={several || undefined}>
					{options.map(({ value, key, title: words, meaning: says }) => (
						<button
							key={value}
							type="button"
							aria-pressed={given[name]?.includes(value) ?? false}
							disabled={!onChoose}
							onClick={() => onChoose?.(name, value)}
						>
							<KeyCap>{key}</KeyCap>
							<span>
								{words}
								{says !== "" && <small>{says}</small>}
							</span>
						</button>
					))}
				</div>
			</fieldset>
		))}
	</div>
);
