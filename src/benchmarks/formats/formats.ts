import { beir } from "./beir.ts";
import { doubleBench } from "./double-bench.ts";
import { dynVqa } from "./dyn-vqa.ts";
import { eVqa } from "./e-vqa.ts";
import { flashrag } from "./flashrag.ts";
import type { Format } from "./format.ts";
import { hotpotqa } from "./hotpotqa.ts";
import { hybridqa } from "./hybridqa.ts";
import { infoseek } from "./infoseek.ts";
import { mcSearch } from "./mc-search.ts";
import { mmdocir } from "./mmdocir.ts";
import { mmhops } from "./mmhops.ts";
import { mmlongbenchDoc } from "./mmlongbench-doc.ts";
import { mmsearch } from "./mmsearch.ts";
import { morehopqa } from "./morehopqa.ts";
import { multihopRag } from "./multihop-rag.ts";
import { multimodalqa } from "./multimodalqa.ts";
import { musique } from "./musique.ts";
import { parquet } from "./parquet.ts";
import { bamboogle, shortQa } from "./question-answers.ts";
import { slidevqa } from "./slidevqa.ts";
import { strategyqa } from "./strategyqa.ts";
import { tracer } from "./tracer.ts";
import { twoWiki } from "./two-wiki.ts";
import { verl } from "./verl.ts";
import { vidore } from "./vidore.ts";
import { vidoseek } from "./vidoseek.ts";
import { vistahop } from "./vistahop.ts";
import { webqa } from "./webqa.ts";
import { webshaper } from "./webshaper.ts";

/** Every form in which benchmarks are read or written, by the name that a person types. One line a format. */
export const formats: Readonly<Record<string, Format>> = {
	hotpotqa,
	"two-wiki": twoWiki,
	musique,
	morehopqa,
	"multihop-rag": multihopRag,
	hybridqa,
	strategyqa,
	bamboogle,
	"short-qa": shortQa,
	flashrag,
	tracer,
	webshaper,
	mmhops,
	vistahop,
	"mc-search": mcSearch,
	"double-bench": doubleBench,
	webqa,
	multimodalqa,
	infoseek,
	"e-vqa": eVqa,
	"dyn-vqa": dynVqa,
	mmsearch,
	"mmlongbench-doc": mmlongbenchDoc,
	mmdocir,
	vidoseek,
	slidevqa,
	vidore,
	beir,
	verl,
	parquet,
};
