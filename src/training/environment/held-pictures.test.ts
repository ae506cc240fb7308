import { expect, test } from "vitest";
import type { ChatMessage } from "#models";
import { createHeldPictures } from "./held-pictures.ts";

const shown = (...pictures: Buffer[]): ChatMessage[] => [
	{
		role: "user",
		content: [
			{ type: "text", text: "Image 1:" },
			...pictures.map((data) => ({ type: "image" as const, data, mediaType: "image/png", file: "a.png" })),
		],
	},
];

test("a picture counts once, whoever was shown it, until the last of them is gone", () => {
	const held = createHeldPictures();
	const [one, two] = [held.holder(), held.holder()];
	const [ten, five] = [Buffer.alloc(10), Buffer.alloc(5)];
	one.hold(shown(ten, ten));
	one.hold(shown(ten, five));
	two.hold(shown(ten));
	expect(held.bytes()).toBe(15);
	one.release();
	expect(held.bytes()).toBe(10);
	one.hold(shown(five));
	one.release();
	two.release();
	expect(held.bytes()).toBe(0);
});
