/**
 * What diagnosing costs on one core, evidence lookups included: generated records of the shapes that runs over the Atlas
 * have (a chain of two to five hops, three to ten steps with three results each, sub-answers right, wrong and missing),
 * each with a task of its own, over evidence that is looked up by id. Making them is not counted.
 * `npm run bench -- diagnosis [records]`, 10,000 where not given.
 */
import { diagnose } from "#diagnosis";

const records = Number(process.argv[2] ?? 10_000);
const batch = 250;

let state = 20261122;
function chance(count) {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 4294967296) * count);
}
const pick = (list) => list[chance(list.length)];
const syllables = "ka ri mo ten bar li sou gra vel na dor pe zan tu fi os".split(" ");
const name = () => {
	const made = Array.from({ length: 2 + chance(2) }, () => pick(syllables)).join("");
	return made[0].toUpperCase() + made.slice(1);
};
const asks = [
	"Which city does NAME serve?",
	"Which country does NAME belong to?",
	"What is the highest mountain of NAME?",
	"Which country took the largest share of the exports of NAME?",
	"What is the capital of NAME?",
];
const filler = "lies in the north and is known for its old bridges, its port and the river that crosses it; ".repeat(6);

const places = Array.from({ length: 2000 }, (_, index) => {
	const title = name();
	const text = `${title} ${filler} ${name()} is near, ${name()} farther, with ${chance(9_000_000).toLocaleString("en")} people.`;
	const base = { id: `place/${index}`, document: `place/${index}`, title, language: "en", sha256: "0".repeat(64) };
	return { kind: "passage", ...base, provenance: { source: "bench" }, text, form: "prose" };
});
const byId = new Map(places.map((place) => [place.id, place]));
const evidence = async (id) => byId.get(id);
const said = (value) => ({ type: "string", value, accepted: [value, `${value} proper`] });

function attempt(id) {
	const count = 2 + chance(4);
	const values = Array.from({ length: count + 1 }, name);
	const hops = Array.from({ length: count }, (_, index) => ({
		id: `h${index}`,
		question: asks[index % asks.length].replace("NAME", values[index]),
		modality: pick(["text", "text", "table", "page", "image"]),
		needs: index === 0 ? [] : [{ hop: `h${index - 1}`, role: "bridge" }],
		evidence: Array.from({ length: 1 + chance(4) }, () => pick(places).id),
		answer: said(values[index + 1]),
	}));
	const question = `What comes of ${values[0]} in the end, by way of what it serves and what that belongs to?`;
	const chain = { hops, sink: `h${count - 1}` };
	const task = {
		id,
		question,
		images: [],
		answer: said(values[count]),
		chain,
		tags: { language: "en" },
		source: "",
		rights: "",
	};
	const steps = Array.from({ length: count + chance(6) }, (_, index) => {
		const hop = hops[Math.min(index, chance(count))];
		const found = chance(3) > 0 ? [pick(hop.evidence)] : [];
		const ids = [...found, ...Array.from({ length: 3 - found.length }, () => pick(places).id)];
		return {
			index,
			subQuestion: hop.question,
			call: {
				tool: pick(["text_search", "text_search", "page_search", "image_search_by_text"]),
				arguments: { query: hop.question.toLowerCase(), k: 3 },
				valid: true,
			},
			results: ids.map((id, place) => ({ id, score: 1 - place / 10, rank: place + 1 })),
			...(chance(4) > 0 ? { subAnswer: chance(3) > 0 ? hop.answer.value : name() } : {}),
			ms: 5,
		};
	});
	const trajectory = {
		...{ steps, answer: chance(2) > 0 ? values[count] : name(), abstained: false, stop: "answered", messages: [] },
		...{ usage: { calls: 0, inputTokens: 0, outputTokens: 0 }, ms: 900 },
	};
	return { task, record: { version: 1, task: id, repeat: 0, attempt: 0, at: "", trajectory } };
}

let found = 0;
let seconds = 0;
let processor = 0;
for (let from = 0; from < records; from += batch) {
	const inputs = Array.from({ length: Math.min(batch, records - from) }, (_, index) => attempt(`t${from + index}`));
	const used = process.cpuUsage();
	const started = performance.now();
	const diagnoses = await Promise.all(inputs.map((input) => diagnose(input, { evidence })));
	seconds += (performance.now() - started) / 1000;
	const { user, system } = process.cpuUsage(used);
	processor += (user + system) / 1e6;
	found += diagnoses.reduce((sum, { findings }) => sum + findings.length, 0);
}
const rate = Math.round(records / seconds).toLocaleString("en");
console.log(
	`${records.toLocaleString("en")} records: ${seconds.toFixed(1)} s (processor ${processor.toFixed(1)} s), ${rate}/s, ${found.toLocaleString("en")} findings`,
);
