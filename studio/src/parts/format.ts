/** Figures as people read them. */

const whole = new Intl.NumberFormat("en");
const few = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });

export const showCount = (count: number): string => whole.format(count);

export const plural = (count: number, noun: string): string => `${showCount(count)} ${noun}${count === 1 ? "" : "s"}`;

/** "51 ms", "5.5 s", "3 min 12 s"; of less than anybody can wait "<0.1 ms". */
export function showTime(ms: number): string {
	if (ms > 0 && ms < 0.1) return "<0.1 ms";
	if (ms < 1000) return `${ms < 10 && ms > 0 ? few.format(ms) : Math.round(ms)} ms`;
	if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
	const seconds = Math.round(ms / 1000);
	return seconds < 3600
		? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
		: `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Money in its currency, small amounts with what matters of them; "no price" where none is known. */
export function showCost(cost: number | null, currency: string | null): string {
	if (cost === null) return "no price";
	const figure =
		cost === 0
			? "0"
			: cost < 1
				? cost.toFixed(4)
				: cost.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
	return currency === null || currency === "USD" ? `$${figure}` : `${figure} ${currency}`;
}

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "3 Oct 2026, 09:30"; what is no date, as it is. */
export function showDate(at: string): string {
	const time = new Date(at);
	return Number.isNaN(time.getTime()) ? at : date.format(time);
}
