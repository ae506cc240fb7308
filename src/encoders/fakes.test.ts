import sharp from "sharp";
import { expect, test } from "vitest";
import { fakeJointEncoder, fakePageEncoder, fakeTextEncoder } from "../../test/support/encoders/fakes.ts";

const plain = (colour: string) =>
	sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
		.png()
		.toBuffer();
const dot = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) =>
	a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

test("the text fake finds the text with the same words", async () => {
	const encoder = fakeTextEncoder(256);
	const [a, b] = await encoder.encodePassages(["the river flows north", "a mountain of snow"]);
	const [query] = await encoder.encodeQueries(["Where does the river flow north?"]);
	expect(dot(query, a)).toBeGreaterThan(dot(query, b) + 0.3);
	expect(encoder.encoded()).toBe(3);
});

test("the joint fake finds the image by its colour's name, and an unreadable one is told", async () => {
	const encoder = fakeJointEncoder();
	const told: number[] = [];
	const images = [await plain("#ff0000"), Buffer.from("none"), await plain("#0000ff")];
	const vectors = await encoder.encodeImages(images, { onProblem: (index) => told.push(index) });
	const [text] = await encoder.encodeTexts(["a blue one"]);
	expect(vectors.map((vector) => dot(text, vector))).toEqual([0, 0, 1]);
	expect(told).toEqual([1]);
	await expect(encoder.encodeImages(images)).rejects.toMatchObject({ code: "bad-image" });
});

test("the page fake gives a vector a cell and a vector a colour named", async () => {
	const encoder = fakePageEncoder();
	const [page] = await encoder.encodePages([await plain("#00ff00")]);
	const [query, none] = await encoder.encodeQueries(["green and red", "?"]);
	expect(page?.length).toBe(16 * encoder.about.dimensions);
	expect(query?.length).toBe(2 * encoder.about.dimensions);
	expect(none?.length).toBe(0);
});
