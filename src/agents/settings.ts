import { didYouMean, Setting, usageError } from "#domain";
import type { Agent, Preset } from "./agent.ts";

/**
 * The setting of an agent by the name of its preset, the agent's own choice without one, with what is to differ; the
 * name then says so: `search+crop k=5`.
 */
export function settingFor(
	agent: Pick<Agent, "name" | "settings">,
	{ name, overrides = {} }: { name?: string | undefined; overrides?: Preset } = {},
): Setting {
	const presets: Record<string, Preset> = agent.settings ?? { default: {} };
	const wanted = name ?? Object.keys(presets)[0] ?? "default";
	const preset = Object.hasOwn(presets, wanted) ? presets[wanted] : undefined;
	if (!preset)
		throw usageError(
			"unknown-setting",
			`the agent "${agent.name}" has no setting "${wanted}"`,
			`${didYouMean(wanted, Object.keys(presets))}Give one of: ${Object.keys(presets).join(", ")}.`,
		);
	if (overrides.form === "continued" && Object.values(presets).every(({ form }) => form !== "continued"))
		throw usageError(
			"unknown-setting",
			`the agent "${agent.name}" speaks in turns only: pictures and calls cannot stand in a reply that is continued`,
			"Leave out --form, or choose an agent that has a setting of this form.",
		);
	const kept = Setting.parse({ ...preset, name: wanted });
	const differing = Object.entries(overrides).filter(
		([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(kept[key as keyof Setting]),
	);
	const shown = differing.map(([key, value]) => `${key}=${shownValue(value)}`);
	return Setting.parse({ ...preset, ...Object.fromEntries(differing), name: [wanted, ...shown].join(" ") });
}

function shownValue(value: unknown): string {
	if (Array.isArray(value)) return value.join("+");
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}
