import type { Output } from "./output.ts";

/** How often a progress line is written where it cannot replace the last one. */
const quietInterval = 5000;
const liveInterval = 100;

export interface Progress {
	/** Without a total no share and no remaining time is told. */
	update(done: number, total: number | undefined, detail?: string): void;
	end(): void;
}

/**
 * A progress line with rate and remaining time. `already` counts what was done before this process began, so that a
 * resumed run's rate is its own.
 */
export function createProgress(output: Output, label: string, options: { already?: number } = {}): Progress {
	const started = Date.now();
	const already = options.already ?? 0;
	let shown = 0;
	let open = false;
	let completed = false;
	/** What was not shown for want of time. */
	let last: (() => string) | undefined;
	return {
		update(done, total, detail = "") {
			const now = Date.now();
			const interval = output.overwrite ? liveInterval : quietInterval;
			// all may be counted long before the work ends: only the first such line, and the last, is worth one at once
			const complete = total !== undefined && done >= total && !completed;
			const draw = () => progressLine(label, { done, total, already, ms: Date.now() - started, detail });
			const early = !output.overwrite && (shown === 0 || now - started < quietInterval);
			if (!complete && (now - shown < interval || early)) {
				if (early && shown === 0) shown = now;
				last = draw;
				return;
			}
			completed ||= complete;
			shown = now;
			last = undefined;
			const line = draw();
			if (output.overwrite) {
				output.overwrite(line);
				open = true;
			} else output.say(line);
		},
		end() {
			const line = completed ? last?.() : undefined;
			if (line !== undefined) (output.overwrite ?? output.say)(line);
			last = undefined;
			if (open) output.say("");
			open = false;
		},
	};
}

/** `atlas · extractive: 120/480, 25 %, 31.2/s, 0:11 left` */
export function progressLine(
	label: string,
	at: { done: number; total: number | undefined; already: number; ms: number; detail?: string },
): string {
	if (at.total === undefined) return `${label}: ${[String(at.done), at.detail ?? ""].filter(Boolean).join(" ")}`;
	const fresh = at.done - at.already;
	const rate = at.ms > 0 ? (fresh / at.ms) * 1000 : 0;
	const left = rate > 0 && at.done < at.total ? `${clock((at.total - at.done) / rate)} left` : "";
	const percent = at.total > 0 ? `${Math.floor((100 * at.done) / at.total)} %` : "";
	const speed = fresh > 0 && rate > 0 ? `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s` : "";
	return `${label}: ${[`${at.done}/${at.total}`, percent, speed, left, at.detail ?? ""].filter(Boolean).join(", ")}`;
}

function clock(seconds: number): string {
	const whole = Math.ceil(seconds);
	const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
	const [hours = 0, minutes = 0, rest = 0] = parts;
	const two = (value: number) => String(value).padStart(2, "0");
	return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
