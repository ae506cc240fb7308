import { useState } from "react";
import type { Facet } from "../../../../src/studio/pages.ts";
import { showCount } from "../../parts/format.ts";
import styles from "./facets.module.css";
import { means, toggleValue, wantedValues, withoutColumn } from "./filter-text.ts";

/** How many values of a facet are shown before one asks for all. */
const few = 8;

/** Which values there are and how many answers have each; ticking one edits the filter. */
export function Facets({
	facets,
	where,
	onWhere,
}: {
	facets: readonly Facet[];
	where: string;
	onWhere: (where: string) => void;
}) {
	return (
		<div className={styles.facets}>
			{facets.map((facet) => (
				<FacetGroup key={facet.name} facet={facet} where={where} onWhere={onWhere} />
			))}
		</div>
	);
}

function FacetGroup({
	facet: { name, title, values },
	where,
	onWhere,
}: {
	facet: Facet;
	where: string;
	onWhere: (where: string) => void;
}) {
	const [open, setOpen] = useState(false);
	const wanted = wantedValues(where, name);
	const isWanted = (value: string) => wanted.some((one) => means(one, value));
	const all = Math.max(
		1,
		values.reduce((sum, { count }) => sum + count, 0),
	);
	const shown = open ? values : values.filter(({ value }, place) => place < few || isWanted(value));
	return (
		<fieldset className={styles.facet}>
			<legend className={styles.legend}>{title}</legend>
			{wanted.length > 0 && (
				<button type="button" className={styles.clear} onClick={() => onWhere(withoutColumn(where, name))}>
					all<span className={styles.spoken}> of {title.toLowerCase()}</span>
				</button>
			)}
			{shown.map(({ value, title: called, count, where: term }) => (
				<label key={value} className={styles.value}>
					<input
						type="checkbox"
						checked={isWanted(value)}
						onChange={() => onWhere(toggleValue(where, name, { value, written: term.slice(name.length + 1) }))}
					/>
					<bdi className={styles.called}>{called}</bdi>
					<span className={count === 0 ? `${styles.count} ${styles.none}` : styles.count}>{showCount(count)}</span>
					<span className={styles.bar} style={{ width: `${(100 * count) / all}%` }} aria-hidden="true" />
				</label>
			))}
			{values.length > few && (
				<button type="button" className={styles.more} onClick={() => setOpen(!open)}>
					{open ? "fewer" : `all ${values.length}`}
				</button>
			)}
		</fieldset>
	);
}
