import { describe, expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

const big = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("text of any encoding", () => {
	test.each([
		["UTF-8", Buffer.from("Café – 12 °C"), "Café – 12 °C"],
		["UTF-8 with its mark", Buffer.from([0xef, 0xbb, 0xbf, 0x63, 0xc3, 0xa9]), "cé"],
		["UTF-16, little end first, marked", Buffer.from([0xff, 0xfe, 0x41, 0, 0xe9, 0]), "Aé"],
		["UTF-16, big end first, marked", Buffer.from([0xfe, 0xff, 0, 0x41, 0, 0xe9]), "Aé"],
		["UTF-16, little end first", Buffer.from("The lake\r\nNoé", "utf16le"), "The lake\r\nNoé"],
		["UTF-16, big end first", big("The lake 🌊"), "The lake 🌊"],
		["UTF-16 of another script", Buffer.from("Озеро лежит в долине", "utf16le"), "Озеро лежит в долине"],
		["Latin-1", Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0xfc]), "café ü"],
		["Windows Latin", Buffer.from([0x93, 0x41, 0x94, 0x20, 0x80, 0x35]), "“A” €5"],
		["nothing", Buffer.from(""), ""],
	])("%s", (_, bytes, text) => {
		expect(decodeText(bytes)).toBe(text);
	});

	test("a pair that ends beyond what is looked at does not hide the encoding", () => {
		const text = `${"a".repeat(4095)}🌊${"b".repeat(50)}`;
		expect(decodeText(Buffer.from(text, "utf16le"))).toBe(text);
	});

	test.each([
		["a zero byte in text", Buffer.from([65, 0, 66])],
		["a zero byte in a longer text", Buffer.from(`${"text ".repeat(20)}\0\n`.padEnd(104, "x"))],
		["a program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0])],
		["bytes of a picture", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x10, 0x4a, 0x46, 0x1, 0x1, 0x2, 0x9c])],
	])("%s is no text", (_, bytes) => {
		expect(() => decodeText(bytes)).toThrow("is not a text file");
	});
});
