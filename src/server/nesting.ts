/** Levels of arrays and objects in a message: what nests deeper cannot be written again without the stack running out. */
const mostLevels = 200;

/** Whether a value from JSON nests deeper than any message needs to. */
export function isTooDeep(value: unknown, levels = mostLevels): boolean {
	if (value === null || typeof value !== "object") return false;
	return levels === 0 || Object.values(value).some((one) => isTooDeep(one, levels - 1));
}
