/** Settings of recipes by their kinds, each with what it says of itself. */
import { z } from "zod";

export const number = (least: number, most: number, says: string) => z.number().min(least).max(most).describe(says);
export const share = (says: string) => number(0, 1, says);
export const whole = (least: number, most: number, says: string) =>
	z.number().int().min(least).max(most).describe(says);
export const count = (says: string) => z.number().int().min(0).describe(says);

/** One of the names. */
export const oneOf = <const Name extends string>(names: readonly Name[], says: string) => z.enum(names).describe(says);

/** Some of the names, by default all. */
export const someOf = <const Name extends string>(names: readonly Name[], says: string) =>
	z
		.array(z.enum(names))
		.min(1)
		.default([...names])
		.describe(says);

/** The least and the most of something. */
export const span = (least: number, most: number, says: string) => {
	const end = z.number().int().min(least).max(most);
	return z
		.tuple([end, end])
		.refine(([from, to]) => from <= to, { message: "the first may not be greater than the second" })
		.describe(says);
};
