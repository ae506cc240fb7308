import { useEffect, useRef, useState } from "react";
import type { ReviewQueue } from "../../../../src/studio/review-pages.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import { useKeys } from "../../parts/keys.ts";
import styles from "./reason-palette.module.css";

const withDigit = 9;

/** Why an item is dropped: the commonest reasons by a digit, all others in a list that a word finds. */
export function ReasonPalette({
	reasons,
	chosen,
	onToggle,
	onDone,
	onClose,
}: {
	reasons: ReviewQueue["reasons"];
	chosen: readonly string[];
	onToggle: (reason: string) => void;
	onDone: () => void;
	onClose: () => void;
}) {
	const [all, setAll] = useState(false);
	const [word, setWord] = useState("");
	const panel = useRef<HTMLElement>(null);
	const field = useRef<HTMLInputElement>(null);
	useKeys([{ keys: ["0"], says: "", does: () => setAll(true) }]);
	useEffect(() => {
		if (all) field.current?.focus();
	}, [all]);
	const fits = (name: string) => name.includes(word.trim().toLowerCase());
	const others = reasons.slice(withDigit).filter(({ reason, name }) => chosen.includes(reason) || (all && fits(name)));
	const common = reasons.slice(0, withDigit);
	return (
		<section className={styles.palette} ref={panel} aria-label="Why is it dropped?">
			<header className={styles.head}>
				<h3>Why is it dropped?</h3>
				<button type="button" onClick={onClose}>
					Not dropped <KeyCap>Esc</KeyCap>
				</button>
				<button type="button" className={styles.drop} onClick={onDone}>
					✕ Drop it{chosen.length === 0 ? " without a reason" : ""} <KeyCap>↵</KeyCap>
				</button>
			</header>
			<ReasonList
				reasons={common}
				chosen={chosen}
				onToggle={onToggle}
				found={word.trim() === "" ? undefined : fits}
				digits
			/>
			{all ? (
				<input
					ref={field}
					className={styles.field}
					type="search"
					value={word}
					placeholder="a word of the reason; Enter takes the first"
					aria-label="Find a reason"
					onChange={({ target }) => setWord(target.value)}
					onKeyDown={(event) => {
						if (event.key === "Escape") onClose();
						if (event.key !== "Enter") return;
						const first = reasons.find(({ reason, name }) => !chosen.includes(reason) && fits(name));
						if (word.trim() !== "" && first) onToggle(first.reason);
						setWord("");
						event.currentTarget.blur();
						event.stopPropagation();
					}}
				/>
			) : (
				<button type="button" className={styles.more} onClick={() => setAll(true)}>
					<KeyCap>0</KeyCap> all {reasons.length} reasons
				</button>
			)}
			{others.length > 0 && <ReasonList reasons={others} chosen={chosen} onToggle={onToggle} />}
		</section>
	);
}

export const ReasonList = ({
	reasons,
	chosen,
	onToggle,
	found,
	digits = false,
}: {
	reasons: ReviewQueue["reasons"];
	chosen: readonly string[];
	onToggle: (reason: string) => void;
	/** Which of them a word finds that is looked for. */
	found?: ((name: string) => boolean) | undefined;
	digits?: boolean;
}) => (
	<div className={digits ? styles.common : styles.others}>
		{reasons.map(({ reason, name, meaning }, at) => (
			<button
				key={reason}
				type="button"
				aria-pressed={chosen.includes(reason)}
				data-found={found?.(name)}
				onClick={() => onToggle(reason)}
			>
				{digits && <KeyCap>{String(at + 1)}</KeyCap>}
				<span>
					<b>{name}</b>
					{meaning !== "" && <small>{meaning}</small>}
				</span>
			</button>
		))}
	</div>
);
