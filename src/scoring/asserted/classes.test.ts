import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";

const S = (...accepted: string[]) => ({ type: "string", value: accepted[0], accepted });
const N = (value: number, number: object = {}, written = String(value)) => ({
	type: "number",
	value: written,
	number: { value, ...number },
});
const B = (value: "yes" | "no") => ({ type: "boolean", value });
const T = (iso: string, precision: string) => ({ type: "time", value: iso, time: { iso, precision } });
const L = (...items: string[]) => ({ type: "list", items });
const none = { type: "none" };
const right = (reply: string, answer: object, question?: string) =>
	metrics.typed?.measure({ prediction: reply, answer, ...(question ? { question } : {}) }).result?.value;

type Class = [name: string, answer: object, question: string | undefined, right: string[], wrong: string[]];
const who = "Who painted it?";
const older = "Is Rome older than Milan?";
const classes: Class[] = [
	[
		"nothing goes before a surname alone",
		S("Hokusai"),
		who,
		["Hokusai", "It was Hokusai."],
		["It is not Hokusai.", "Not Hokusai", "Never Hokusai", "Nicht Hokusai", "Ein Schüler von Hokusai", "Uncle Hokusai"],
	],
	[
		"a person's name in full",
		S("Frida Kahlo"),
		who,
		["Kahlo", "Frida Carmen Kahlo", "F. Kahlo"],
		["Cristina Kahlo", "Not Frida Kahlo", "A friend of Frida Kahlo"],
	],
	["a title is no other", S("Mrs. Dalloway"), undefined, ["Dalloway"], ["Mr. Dalloway"]],
	["an initial is no other", S("John D. Carmack"), undefined, ["John Carmack"], ["John F. Carmack"]],
	[
		"a place is in no other",
		S("Athens, Greece"),
		undefined,
		["Athens", "Athens, Greece"],
		["Athens, Georgia", "Sparta, Greece", "The city is Athens, Ohio."],
	],
	["a work is by no other", S("Emma by Jane Austen"), undefined, ["Emma"], ["Emma by Alexander McCall Smith"]],
	[
		"a comparison turned round",
		B("yes"),
		older,
		["Rome is older than Milan.", "Milan is younger than Rome."],
		["Milan is older than Rome.", "Rome is younger than Milan.", "Rome is as old as Milan."],
	],
	["and its denial", B("no"), older, ["Milan is older than Rome.", "Rome is not older than Milan."], []],
	["of any quality", B("no"), "Is tin harder than iron?", ["Iron is harder than tin."], []],
	["two that fought", B("yes"), "Did Peru defeat Chile?", ["Peru defeated Chile."], ["Chile defeated Peru."]],
	[
		"yes and no",
		B("yes"),
		older,
		["Yes. It is older.", "Y"],
		[
			"Yes, no",
			"Yes. No.",
			"No. Yes.",
			"Yes, but no.",
			"yes and also no",
			"Yes, Rome is older. No, wait, Milan is older.",
		],
	],
	[
		"another currency",
		N(250, { kind: "money", unit: "$" }, "$250"),
		undefined,
		["$250", "250 dollars", "US$250", "250"],
		["£250", "¥250", "CHF 250", "NZ$250", "250 kr", "250 rupees", "250 SEK", "₩250", "250 people", "250 kg"],
	],
	["pounds", N(80, { kind: "money" }, "£80"), undefined, ["£80", "80 pounds", "80 GBP"], ["$80", "80 euros"]],
	[
		"a count is no measure",
		N(17, { kind: "count" }),
		"How many are there?",
		["17", "17 bridges", "seventeen"],
		["17 kg", "17 °C", "$17", "17%", "17 seconds"],
	],
	[
		"measures rounded to three digits",
		N(4808, { kind: "measure", unit: "m" }, "4,808 m"),
		undefined,
		["4810 m", "4,810 m", "4.81 km", "4.808 km"],
		["4.80 km", "4,800 m", "4,820 m", "4.8 km2"],
	],
	[
		"a share is a part",
		N(40, { kind: "share", unit: "%" }),
		undefined,
		["0.4", "40%", "two fifths"],
		["0.04", "0.5", "40 goats"],
	],
	[
		"a long share is a fraction",
		N(33.3, { kind: "share", unit: "%" }),
		undefined,
		["one third", "33.3%"],
		["one half"],
	],
	["years before our era", N(-44, { kind: "year" }, "44 BC"), undefined, ["44 BC"], ["44 AD", "44"]],
	["times in a question", N(1, { kind: "count" }), "How many times did she win?", ["once", "one time"], ["twice"]],
	[
		"denial and doubt of numbers",
		N(36, { kind: "count" }),
		undefined,
		["36", "Wait, 35? No, 36."],
		[
			"36 is wrong",
			"≠ 36",
			"anything but 36",
			"It could be 36.",
			"Unknown (36?)",
			"36 at most",
			"36 vs. 37",
			"I do not know whether it is 36.",
		],
	],
	[
		"denial and doubt of names",
		S("Oslo"),
		undefined,
		["Bergen is wrong; Oslo is the answer.", "Bergen? No, Oslo."],
		[
			"Oslo is incorrect",
			"Oslo ist falsch",
			"It might be Oslo",
			"Oslo, perhaps",
			"Oslo? I am not sure",
			"everything except Oslo",
			"Oslo? No, Bergen.",
		],
	],
	[
		"several answers",
		S("Oslo"),
		undefined,
		["Oslo. It lies on a fjord.", "Oslo\nNorway"],
		[
			"Oslo\nBergen",
			"Oslo; Bergen",
			"Oslo. Bergen.",
			"Oslo - Bergen",
			"Oslo vs. Bergen",
			"from Oslo to Bergen",
			"Oslo → Bergen",
		],
	],
	[
		"the conclusion of a choice",
		S("Ida"),
		"Who is older, Max or Ida?",
		["Max was born in 1930 and Ida in 1920, so Ida is older.", "Ida is older than Max."],
		["Max is older than Ida.", "Ida was born in 1930 and Max in 1920, so Max is older."],
	],
	[
		"the clause that answers",
		S("Quito"),
		"What is the capital of Ecuador?",
		["The capital of Ecuador is Quito, and the capital of Peru is Lima."],
		["The capital of Ecuador is Lima, and the capital of Peru is Quito."],
	],
	[
		"what came after",
		S("Vertigo"),
		"Which film was released first?",
		["Vertigo was released first."],
		["Vertigo was released after Psycho."],
	],
	[
		"declining",
		none,
		"Who wrote it?",
		[
			"I am sorry, but I cannot tell.",
			"We cannot know this.",
			"It is unclear",
			"Unknown",
			"Das geht aus dem Text nicht hervor.",
			"Nicht genug Informationen",
		],
		["The Unknown Rebel", "Unknown Mortal Orchestra", "unknown painter called Weber", "", "-", "?", "$$$", "<answer>"],
	],
	[
		"German lists",
		L("Köln", "Bonn"),
		"Welche Städte sind es?",
		["sowohl Köln als auch Bonn"],
		["weder Köln noch Bonn"],
	],
	[
		"lists behind the question's verb",
		L("Laos", "Vietnam"),
		"Which countries border it?",
		["It borders Laos and Vietnam."],
		["It borders Laos."],
	],
	["German times", N(90, { kind: "measure", unit: "min" }, "90 minutes"), undefined, ["anderthalb Stunden"], []],
	["months", T("2019-10", "month"), undefined, ["Okt. 2019", "10/2019"], ["11/2019"]],
	["das stimmt", B("no"), "Stimmt es, dass er starb?", ["Das stimmt nicht."], ["Das ist richtig."]],
	["ß", S("Goethestraße"), undefined, ["Goethestrasse"], []],
];

describe.each(classes)("%s", (_name, answer, question, good, bad) => {
	test.each([
		...good.map((reply) => [reply, 1] as const),
		...bad.map((reply) => [reply, 0] as const),
	])("%j is scored %i", (reply, value) => expect(right(reply, answer, question)).toBe(value));
});
