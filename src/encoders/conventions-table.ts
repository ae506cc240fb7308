import type { ConventionsRow, TextConventions } from "./conventions-row.ts";

/** What most encoders of the BERT family share. */
const plain: TextConventions = {
	queryPrefix: "",
	passagePrefix: "",
	pooling: "mean",
	padding: "right",
	maxTokens: 512,
};

/** The task that instruction-following encoders were measured with on web search. */
const webSearch = "Given a web search query, retrieve relevant passages that answer the query";

const clipColours = {
	mean: [0.48145466, 0.4578275, 0.40821073],
	std: [0.26862954, 0.26130258, 0.27577711],
} as const;
const halves = { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] } as const;

/** The families that are known. A model's own files, and a user's word, come before a row. */
export const rows: readonly ConventionsRow[] = families([
	{
		id: "e5",
		family: "E5 v2, English",
		models: { "e5-small-v2": 384, "e5-base-v2": 768, "e5-large-v2": 1024 },
		text: { ...plain, queryPrefix: "query: ", passagePrefix: "passage: " },
		source: "model card of intfloat/e5-base-v2; measured on e5-small-v2 (int8)",
	},
	{
		id: "e5-multilingual",
		family: "E5, multilingual",
		models: { "multilingual-e5-small": 384, "multilingual-e5-base": 768, "multilingual-e5-large": 1024 },
		text: { ...plain, queryPrefix: "query: ", passagePrefix: "passage: " },
		source: "model card of intfloat/multilingual-e5-base",
	},
	{
		id: "e5-instruct",
		family: "E5, multilingual, with an instruction",
		models: { "multilingual-e5-large-instruct": 1024 },
		text: { ...plain, queryPrefix: `Instruct: ${webSearch}\nQuery: ` },
		source: "model card of intfloat/multilingual-e5-large-instruct",
	},
	{
		id: "bge-en",
		family: "BGE v1.5, English",
		models: { "bge-small-en-v1.5": 384, "bge-base-en-v1.5": 768, "bge-large-en-v1.5": 1024 },
		text: { ...plain, queryPrefix: "Represent this sentence for searching relevant passages: ", pooling: "cls" },
		source: "model card of BAAI/bge-base-en-v1.5; measured on bge-small-en-v1.5 (int8)",
	},
	{
		id: "bge-zh",
		family: "BGE v1.5, Chinese",
		models: { "bge-small-zh-v1.5": 512, "bge-base-zh-v1.5": 768, "bge-large-zh-v1.5": 1024 },
		text: { ...plain, queryPrefix: "为这个句子生成表示以用于检索相关文章：", pooling: "cls" },
		source: "model card of BAAI/bge-base-zh-v1.5",
	},
	{
		id: "bge-m3",
		family: "BGE-M3 (its dense vector)",
		models: { "bge-m3": 1024 },
		text: { ...plain, pooling: "cls", maxTokens: 8192 },
		source: "model card of BAAI/bge-m3",
	},
	{
		id: "gte",
		family: "GTE, English, first generation",
		models: { "gte-small": 384, "gte-base": 768, "gte-large": 1024 },
		text: plain,
		source: "model card of thenlper/gte-base",
	},
	{
		id: "gte-long",
		family: "GTE v1.5, ModernBERT and multilingual",
		models: {
			"gte-base-en-v1.5": 768,
			"gte-large-en-v1.5": 1024,
			"gte-modernbert-base": 768,
			"gte-multilingual-base": 768,
		},
		text: { ...plain, pooling: "cls", maxTokens: 8192 },
		source: "model cards of Alibaba-NLP/gte-base-en-v1.5 and gte-modernbert-base",
	},
	{
		id: "minilm",
		family: "Sentence-Transformers MiniLM",
		models: {
			"all-minilm-l6-v2": 384,
			"all-minilm-l12-v2": { dimensions: 384, maxTokens: 128 },
			"multi-qa-minilm-l6-cos-v1": { dimensions: 384, maxTokens: 512 },
			"paraphrase-multilingual-minilm-l12-v2": { dimensions: 384, maxTokens: 128 },
		},
		text: { ...plain, maxTokens: 256 },
		source: "sentence_bert_config.json of each; measured on all-MiniLM-L6-v2 (int8)",
	},
	{
		id: "qwen3",
		family: "Qwen3-Embedding",
		models: { "qwen3-embedding-0.6b": 1024, "qwen3-embedding-4b": 2560, "qwen3-embedding-8b": 4096 },
		shortens: true,
		text: {
			// No blank after the last colon: so the model was trained.
			queryPrefix: `Instruct: ${webSearch}\nQuery:`,
			passagePrefix: "",
			pooling: "last",
			padding: "left",
			endToken: "<|endoftext|>",
			maxTokens: 32_768,
		},
		source: "model card of Qwen/Qwen3-Embedding-0.6B",
	},
	{
		id: "nv-embed",
		family: "NV-Embed v2",
		models: { "nv-embed-v2": 4096 },
		text: {
			queryPrefix: "Instruct: Given a question, retrieve passages that answer the question\nQuery: ",
			passagePrefix: "",
			pooling: "model",
			padding: "right",
			endToken: "</s>",
			maxTokens: 32_768,
		},
		source: "model card of nvidia/NV-Embed-v2 (latent attention pools inside the model: by server)",
	},
	{
		id: "openai",
		family: "OpenAI text-embedding-3",
		models: { "text-embedding-3-small": 1536, "text-embedding-3-large": 3072 },
		shortens: true,
		text: { ...plain, pooling: "model", maxTokens: 8191 },
		source: "OpenAI's embeddings guide",
	},
	{
		id: "clip",
		family: "CLIP",
		models: {
			"clip-vit-base-patch32": 512,
			"clip-vit-base-patch16": 512,
			"clip-vit-large-patch14": 768,
			"clip-vit-large-patch14-336": { dimensions: 768, imageSize: 336 },
		},
		text: { ...plain, pooling: "model", maxTokens: 77 },
		image: { size: 224, resize: "crop", ...clipColours },
		served: { image: "", queryPrefix: "" },
		source: "preprocessor_config.json of openai/clip-vit-large-patch14-336",
	},
	{
		id: "siglip",
		family: "SigLIP and SigLIP 2 of fixed resolution",
		models: {
			"siglip-base-patch16-224": 768,
			"siglip-so400m-patch14-384": { dimensions: 1152, imageSize: 384 },
			"siglip2-base-patch16-224": 768,
			"siglip2-so400m-patch14-384": { dimensions: 1152, imageSize: 384 },
		},
		text: { ...plain, pooling: "model", maxTokens: 64, padTo: 64 },
		image: { size: 224, resize: "squash", ...halves },
		served: { image: "", queryPrefix: "" },
		source: "preprocessor_config.json and model card of google/siglip-so400m-patch14-384",
	},
	{
		id: "gme",
		family: "GME-Qwen2-VL",
		models: { "gme-qwen2-vl-2b-instruct": 1536, "gme-qwen2-vl-7b-instruct": 3584 },
		served: { image: "", queryPrefix: "" },
		source: "model card of Alibaba-NLP/gme-Qwen2-VL-2B-Instruct",
	},
	{
		id: "vdr",
		family: "vdr-2b and DSE-Qwen2",
		models: { "vdr-2b-multi-v1": 1536, "vdr-2b-v1": 1536, "dse-qwen2-2b-mrl-v1": 1536 },
		shortens: true,
		served: { image: "What is shown in this image?", queryPrefix: "Query: ", blankImage: true },
		source: "model cards of llamaindex/vdr-2b-multi-v1 and MrLight/dse-qwen2-2b-mrl-v1",
	},
	{
		id: "jina-v4",
		family: "Jina embeddings v4 (its single vector)",
		models: { "jina-embeddings-v4": 2048 },
		shortens: true,
		text: { ...plain, queryPrefix: "Query: ", passagePrefix: "Passage: ", maxTokens: 32_768 },
		served: { image: "Describe the image.", queryPrefix: "Query: " },
		source: "model card of jinaai/jina-embeddings-v4",
	},
	{
		id: "bge-vl",
		family: "BGE-VL",
		models: { "bge-vl-base": 512, "bge-vl-large": 768, "bge-vl-mllm-s1": 4096, "bge-vl-mllm-s2": 4096 },
		served: { image: "", queryPrefix: "" },
		source: "model cards of BAAI/BGE-VL-base and BGE-VL-MLLM-S1",
	},
	{
		id: "colpali",
		family: "ColPali (colpali-engine's weights)",
		models: { "colpali-v1.2": 128, "colpali-v1.3": 128 },
		pages: { image: "Describe the image.", queryPrefix: "", querySuffix: `${"<pad>".repeat(10)}\n` },
		source:
			'colpali-engine, ColPaliProcessor: 1,024 patches and 6 text tokens a page; before 0.3.12 the query began "Query: "',
	},
	{
		id: "colpali-hf",
		family: "ColPali (Transformers' own port)",
		models: { "colpali-v1.2-hf": 128, "colpali-v1.3-hf": 128 },
		pages: { image: "Describe the image.", queryPrefix: "Question: ", querySuffix: `${"<pad>".repeat(10)}\n` },
		source: "Transformers, ColPaliProcessor",
	},
	{
		id: "colqwen",
		family: "ColQwen2 and ColQwen2.5",
		models: { "colqwen2-v1.0": 128, "colqwen2.5-v0.2": 128, "colqwen2.5-3b-multilingual": 128 },
		pages: { image: "Describe the image.", queryPrefix: "", querySuffix: "<|endoftext|>".repeat(10) },
		source: "colpali-engine, ColQwen2Processor: at most 768 visual tokens a page, text tokens kept",
	},
	{
		id: "colqwen3",
		family: "ColQwen3",
		models: { "tomoro-colqwen3-embed-4b": 320, "tomoro-colqwen3-embed-8b": 320 },
		pages: { image: "Describe the image.", queryPrefix: "" },
		source: "vLLM's example of TomoroAI/tomoro-colqwen3-embed-4b",
	},
	{
		id: "colsmol",
		family: "ColSmol",
		models: { "colsmol-256m": 128, "colsmol-500m": 128 },
		pages: { image: "Describe the image.", queryPrefix: "", querySuffix: "<end_of_utterance>".repeat(10) },
		source: 'colpali-engine, ColIdefics3Processor; older engines began the query "Query: "',
	},
]);

/** Of most models only the dimensions differ, and stand here alone. */
type Written = Omit<ConventionsRow, "models"> & {
	models: Record<string, number | ConventionsRow["models"][string]>;
};

function families(written: Written[]): ConventionsRow[] {
	const inFull = (of: number | ConventionsRow["models"][string]) => (typeof of === "number" ? { dimensions: of } : of);
	return written.map((row) => {
		const models = Object.entries(row.models).map(([model, of]) => [model, inFull(of)] as const);
		return { ...row, models: Object.fromEntries(models) };
	});
}
