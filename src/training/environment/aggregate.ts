import { mean } from "#scoring";

type Numbers = Readonly<Record<string, number>>;

/** Mean, least and greatest of every number that rows have in common, by `mean/NAME`, `min/NAME`, `max/NAME`; {} of none. */
export function aggregate(rows: readonly Numbers[]): Record<string, number> {
	const [first = {}, ...others] = rows;
	const shared = Object.keys(first).filter((name) => others.every((row) => Object.hasOwn(row, name)));
	return Object.fromEntries(
		shared.flatMap((name) => {
			const values = rows.map((row) => row[name] ?? Number.NaN);
			const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
			const greatest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
			return [
				[`mean/${name}`, mean(values)],
				[`min/${name}`, least],
				[`max/${name}`, greatest],
			];
		}),
	);
}
