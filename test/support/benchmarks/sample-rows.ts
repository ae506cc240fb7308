/** A row of each format with every field that is read, as it should be. */
export const sampleRows: Record<string, Record<string, unknown>> = {
	hotpotqa: { _id: "a", question: "q?", answer: "y", supporting_facts: [["T", 0]], context: [["T", ["s."]]] },
	"two-wiki": {
		...{ _id: "a", question: "q?", answer: "y", supporting_facts: [["T", 0]], context: [["T", ["s."]]] },
		evidences: [["T", "r", "y"]],
	},
	musique: {
		...{ id: "a", question: "q", answer: "y" },
		paragraphs: [{ idx: 0, title: "T", paragraph_text: "t", is_supporting: true }],
		question_decomposition: [{ id: 1, question: "q", answer: "y", paragraph_support_idx: 0 }],
	},
	morehopqa: {
		...{ _id: "a", question: "q", answer: "y", answer_type: "string", context: [["T", ["s"]]] },
		question_decomposition: [{ sub_id: "1", question: "q", answer: "y", paragraph_support_title: "T" }],
	},
	"multihop-rag": {
		...{ query: "q", answer: "y", question_type: "inference_query" },
		evidence_list: [{ title: "t", fact: "f" }],
	},
	hybridqa: { question_id: "a", question: "q", table_id: "t_0", "answer-text": "a" },
	strategyqa: {
		...{ qid: "a", question: "q", answer: true, decomposition: ["q", "q #1"] },
		evidence: [[[["T-1"]], ["operation"]]],
	},
	bamboogle: { question: "q", answer: "a" },
	"short-qa": { question: "q", answer: "a" },
	flashrag: { id: "a", question: "q", golden_answers: ["a"], metadata: {} },
	tracer: { hop_1: { question: "q", answer: "a", doc: '"T"\nt', final_question: "q", final_answer: "a" } },
	webshaper: { id: "a", question: "q", answer: "a", formalization: [["V@x", "r", "?"]], urls: [] },
	mmhops: { id: "a", question: "q", answer: "a", images: "i.png" },
	vistahop: { id: "a", question: "q", answer: ["a"], image_path: "i.png" },
	"mc-search": {
		...{ index: 1, question: "q", answer: "a", graph_type: "Text Chain" },
		subqa_chain: [{ subquestion: "q", answer: "a", modality: "text", supporting_fact_id: "x_1" }],
	},
	"double-bench": {
		...{ uid: "1", question: "q", answer: "a", reference_page: [0], language: "en", doc_path: "d.pdf" },
		...{ source_type: "text", query_type: "x", doc_type: "PDF" },
	},
	webqa: { Q: "q", A: ["a"], Guid: "g", txt_posFacts: [{ snippet_id: "g_1", title: "t", fact: "f" }] },
	multimodalqa: {
		...{ qid: "a", question: "q", answers: [{ answer: "a" }], metadata: { type: "TextQ" } },
		supporting_context: [{ doc_id: "d", doc_part: "text" }],
	},
	infoseek: { data_id: "a", image_id: "i", question: "q", answer: ["a"], answer_eval: ["a"] },
	"e-vqa": {
		...{ question: "q", answer: "a", question_type: "automatic", dataset_image_ids: "i" },
		dataset_name: "inaturalist",
	},
	"dyn-vqa": { image_url: "http://x/i.png", question: "q", question_id: 1, answer: ["a"] },
	mmsearch: { sample_id: "1", query: "q", gt_answer: "a", query_image: "i.png" },
	"mmlongbench-doc": {
		...{ doc_id: "d.pdf", question: "q", answer: "a", answer_format: "Str" },
		...{ evidence_pages: "[1]", evidence_sources: "['Chart']" },
	},
	mmdocir: {
		doc_name: "d",
		questions: [
			{
				...{ Q: "q", A: "a", page_id: [0], type: "['x']" },
				layout_mapping: [{ page: 0, page_size: [10, 10], bbox: [0, 0, 1, 1] }],
			},
		],
	},
	vidoseek: { uid: "a", query: "q", reference_answer: "a", meta_info: { file_name: "f", reference_page: [1] } },
	slidevqa: { deck_name: "d", bboxes: [[1, [{ bbox_id: 1, class: "Title", bbox: [0, 0, 1, 1] }]]] },
	vidore: { query: "q", image: "i.png", image_filename: "i.png", answer: "a" },
	beir: { _id: "a", text: "q", metadata: { answer: "a" } },
	verl: {
		...{ data_source: "d", prompt: [{ role: "user", content: "Question: q\n" }] },
		reward_model: { style: "rule", ground_truth: { target: ["a"] } },
	},
	parquet: { task: "{}" },
};
