/**
 * Rows in the form of Double-Bench's released `single_bench.json`, with its counts and oddities and made-up text: 2,500 rows
 * over 1,239 documents; 1,109 on PDF, 956 on HTML, 299 on slides, 136 on scans; 500 name `modality` where the others name
 * `source_type`; 1,211 cite one page and 320 more than five, 23 at most; pages count from 0 and end at 56.
 */

export interface ReleasedRow {
	uid: string;
	question: string;
	answer: string;
	reference_page: number[];
	source_type?: string;
	modality?: string;
	language: string;
	doc_path: string;
	query_type: string;
	doc_type: string;
}

const perType = { PDF: 1109, "HTML Pages": 956, Slides: 299, "Scanned Doc": 136 };
const documents = 1239;
const languages = [
	...[
		["English", "en"],
		["Spanish", "es"],
		["French", "fr"],
		["Japanese", "ja"],
		["Chinese", "zh"],
		["Arabic", "ar"],
	],
] as const;
/** How many rows cite how many pages: 1,211 one, 320 more than five. */
const citing: [rows: number, pages: number][] = [
	...([
		[1211, 1],
		[490, 2],
		[221, 3],
		[165, 4],
		[93, 5],
		[92, 6],
		[46, 7],
		[35, 8],
		[30, 9],
		[28, 10],
	] as const),
	...([
		[60, 12],
		[26, 17],
		[3, 23],
	] as const),
].map(([rows, pages]) => [rows, pages]);

export function releasedRows(): ReleasedRow[] {
	const types = Object.entries(perType).flatMap(([type, rows]) => Array.from({ length: rows }, () => type));
	const pages = citing.flatMap(([rows, count]) => Array.from({ length: rows }, () => count));
	const rows = types.length;
	// the documents of a type lie together: each has two or three rows
	return types.map((doc_type, n) => {
		const document = Math.floor((n * documents) / rows);
		const [folder, language] = languages[document % languages.length] ?? ["English", "en"];
		// counts of pages are spread over the types; 7 has no divisor in common with 2,500
		const count = pages[(n * 7) % rows] ?? 1;
		const modality = ["text", "table", "figure"][n % 3] ?? "text";
		const last = n === 0 ? 56 : count + 2 + (n % 9);
		const reference_page = Array.from({ length: count }, (_, at) => last - (count - 1 - at));
		if (n % 5 === 1) reference_page[0] = 0;
		return {
			...{
				uid: `${n}`.padStart(4, "0"),
				question: `What does record ${n} say of the harbour?`,
				answer: `It says ${n}.`,
			},
			reference_page,
			...(n % 5 === 4 ? { modality } : { source_type: modality }),
			...{ language, doc_path: `docs/${folder}/${`${document}`.padStart(4, "0")}` },
			...{ query_type: "Specific Information Retrieval", doc_type },
		};
	});
}

/** How many pages each document must have for the rows' pages to be there, with its type. */
export function releasedDocuments(rows: readonly Pick<ReleasedRow, "doc_path" | "doc_type" | "reference_page">[]) {
	const documents = new Map<string, { type: string; pages: number }>();
	for (const { doc_path, doc_type, reference_page } of rows) {
		const pages = Math.max(documents.get(doc_path)?.pages ?? 2, ...reference_page.map((page) => page + 1));
		documents.set(doc_path, { type: doc_type, pages });
	}
	return documents;
}
