// biome-ignore-all lint/a11y/useSemanticElements: no native list of completions can be edited by part
// biome-ignore-all lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field's keys choose
import { type KeyboardEvent, type Ref, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { Facet, RunPage } from "../../../../src/studio/pages.ts";
import { type Completion, completionsOf, isBegun } from "./completion.ts";
import styles from "./filter-field.module.css";

/** How long after the last letter the filter is set: no query for every letter, and yet at once. */
const restMs = 150;

/** The filter as text, completed from the columns and their values. */
export function FilterField({
	where,
	onWhere,
	onLeave,
	facets,
	columns,
	placeholder = "outcome:wrong  hop2:misread  tokens>5000  words, “exact text”",
	ref,
}: {
	where: string;
	onWhere: (where: string) => void;
	/** Back to the list. */
	onLeave: () => void;
	/** Of the whole run: what is being written would leave no values to complete it with. */
	facets: readonly Facet[];
	columns: RunPage["columns"];
	placeholder?: string;
	ref: Ref<HTMLInputElement>;
}) {
	const [text, setText] = useState(where);
	const [cursor, setCursor] = useState<number | null>(null);
	const [active, setActive] = useState(-1);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	// what was written here and comes back by the address, perhaps after more was written
	const sent = useRef(new Set([where]));
	const list = useId();
	useEffect(() => {
		// set from elsewhere: a facet, or the address
		if (sent.current.has(where)) return;
		setText(where);
		sent.current = new Set([where]);
	}, [where]);
	useEffect(() => () => clearTimeout(timer.current), []);
	// before the next key arrives
	const caret = useRef<{ field: HTMLInputElement; at: number }>(null);
	useLayoutEffect(() => {
		caret.current?.field.setSelectionRange(caret.current.at, caret.current.at);
		caret.current = null;
	});
	const options = cursor === null ? [] : completionsOf(text, cursor, { facets, columns });

	function write(next: string, at: number) {
		setText(next);
		setCursor(at);
		setActive(-1);
		clearTimeout(timer.current);
		if (!isBegun(next, at, { facets, columns })) timer.current = setTimeout(() => send(next), restMs);
	}
	function send(next: string) {
		clearTimeout(timer.current);
		sent.current.add(next.trim());
		onWhere(next.trim());
	}
	function choose({ from, to, insert }: Completion, field: HTMLInputElement) {
		const next = text.slice(0, from) + insert + text.slice(to).trimStart();
		write(next, from + insert.length);
		if (insert.endsWith(" ")) setCursor(null);
		caret.current = { field, at: from + insert.length };
	}
	function press(event: KeyboardEvent<HTMLInputElement>) {
		const field = event.currentTarget;
		const chosen = options[active];
		if ((event.key === "ArrowDown" || event.key === "ArrowUp") && cursor === null)
			setCursor(field.selectionStart ?? text.length);
		else if (event.key === "ArrowDown") setActive((active + 1) % Math.max(1, options.length));
		else if (event.key === "ArrowUp") setActive(active <= 0 ? options.length - 1 : active - 1);
		else if ((event.key === "Enter" || event.key === "Tab") && chosen) choose(chosen, field);
		else if (event.key === "Enter") {
			send(text);
			onLeave();
		} else if (event.key === "Escape" && options.length > 0) setCursor(null);
		else if (event.key === "Escape") onLeave();
		else return;
		event.preventDefault();
	}

	return (
		<div className={styles.box}>
			<input
				ref={ref}
				className={styles.field}
				type="text"
				role="combobox"
				aria-label="Filter"
				aria-autocomplete="list"
				aria-expanded={options.length > 0}
				aria-controls={list}
				aria-activedescendant={options[active] ? `${list}-${active}` : undefined}
				placeholder={placeholder}
				spellCheck={false}
				autoComplete="off"
				autoCapitalize="off"
				maxLength={2000}
				value={text}
				onChange={({ target }) => write(target.value, target.selectionStart ?? target.value.length)}
				onClick={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
				onBlur={() => setCursor(null)}
				onKeyDown={press}
			/>
			{text !== "" && (
				<button type="button" className={styles.clear} aria-label="Clear the filter" onClick={() => write("", 0)}>
					✕
				</button>
			)}
			<div id={list} role="listbox" aria-label="Completions" className={styles.options} hidden={options.length === 0}>
				{options.map((option, place) => (
					<div
						key={option.title}
						id={`${list}-${place}`}
						role="option"
						aria-selected={place === active}
						className={place === active ? `${styles.option} ${styles.active}` : styles.option}
						// before the field loses the focus
						onMouseDown={(event) => event.preventDefault()}
						onClick={(event) => {
							const field = event.currentTarget.closest(`.${styles.box}`)?.querySelector("input");
							if (field) choose(option, field);
						}}
					>
						<bdi>{option.title}</bdi>
						<span className={styles.aside}>{option.aside}</span>
					</div>
				))}
			</div>
		</div>
	);
}
