/** Every table and figure of the five papers: those with a suite have a file in `suites/`, of the others this says why. */

/** A paper as it is listed. */
export interface PublishedPaper {
	/** What its tables' names begin with. */
	name: string;
	title: string;
}

/** In the order in which they are told of. */
export const publishedPapers: readonly PublishedPaper[] = [
	{ name: "mc-search", title: "MC-Search (arXiv:2603.00873)" },
	{ name: "agentic-rag-tracer", title: "AgenticRAGTracer" },
	{ name: "vistahop", title: "VistaHop" },
	{ name: "double-bench", title: "Double-Bench" },
	{ name: "mmhops", title: "MMhops-R1" },
];

/** Tables or figures without a suite, and why there can be none. */
export interface LeftOut {
	/** As tables with a suite are called. */
	names: readonly string[];
	title: string;
	why: string;
}

const tables = (paper: string, first: number, last = first) => numbered(`${paper}:`, first, last);
const figures = (paper: string, first: number, last = first) => numbered(`${paper}:figure-`, first, last);
const numbered = (head: string, first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, at) => `${head}${first + at}`);

const noNumbers = "holds no measured number";
const promptWhy = `${noNumbers}: the wording of a prompt (ours: src/recipes, src/agents, src/scoring)`;
const comparing = "says by hand what other data sets have; of this one it says less than its table of statistics";

export const tablesLeftOut: readonly LeftOut[] = [
	{ names: tables("mc-search", 1), title: "Other data sets", why: comparing },
	{
		names: tables("mc-search", 8),
		title: "Quality of the gold chains, by a judge",
		why: "has the scores that a judge gave while the benchmark was built: no run has them. hopscope make mc-search asks for the same four from 1 to 5 (check quality) and keeps their mean with each item and its funnel",
	},
	{
		names: tables("mc-search", 12),
		title: "Hyper-parameters of fine-tuning",
		why: `${noNumbers}: settings of a training run; hopscope export sft writes them into its configuration`,
	},
	{ names: figures("mc-search", 1, 2), title: "Drawings of the task", why: noNumbers },
	{
		names: figures("mc-search", 9, 10),
		title: "Two trajectories",
		why: `${noNumbers}: single cases; hopscope report shows those of a run`,
	},
	{ names: tables("agentic-rag-tracer", 3, 4), title: "Examples of the data", why: noNumbers },
	{ names: tables("agentic-rag-tracer", 6), title: "A gold trace", why: noNumbers },
	{ names: figures("agentic-rag-tracer", 1), title: "Drawing of the construction", why: noNumbers },
	{
		names: figures("agentic-rag-tracer", 4),
		title: "A failure",
		why: `${noNumbers}: a single case; hopscope report shows those of a run`,
	},
	{ names: figures("agentic-rag-tracer", 5, 25), title: "Prompts", why: promptWhy },
	{ names: tables("vistahop", 1), title: "Other benchmarks", why: comparing },
	{
		names: tables("vistahop", 2),
		title: "Criteria for images",
		why: `${noNumbers}: rules, which hopscope make vistahop applies`,
	},
	{
		names: tables("vistahop", 6),
		title: "Quality control by people",
		why: "holds what people said of five criteria while the benchmark was built: no run and no task has it. hopscope review asks reviewers and counts what they say",
	},
	{
		names: tables("vistahop", 7),
		title: "Filters against leakage",
		why: "has shares of what construction rewrote and discarded, of items that are in no benchmark: hopscope make vistahop writes its own beside the published ones (funnel and data card)",
	},
	{ names: tables("vistahop", 10, 28), title: "Prompts", why: promptWhy },
	{ names: figures("vistahop", 1, 2), title: "Drawings of the task and the construction", why: noNumbers },
	{ names: figures("vistahop", 4, 5), title: "Drawings of the agent", why: noNumbers },
	{ names: tables("double-bench", 1), title: "Other benchmarks", why: comparing },
	{ names: figures("double-bench", 1), title: "Drawing of the task", why: noNumbers },
	{
		names: figures("double-bench", 2),
		title: "Pilot study of other benchmarks",
		why: "measures other papers' benchmarks, and its numbers stand nowhere in the text: hopscope benchmark audit asks the same of any benchmark",
	},
	{ names: figures("double-bench", 3), title: "Drawing of the construction", why: noNumbers },
	{
		names: figures("double-bench", 4),
		title: "Statistics",
		why: "draws what Tables 2 and 8 print: double-bench:2 and double-bench:8",
	},
	{
		names: figures("double-bench", 7),
		title: "Lengths of documents",
		why: "is a density of whole documents' lengths, of which no number is printed and no task says anything",
	},
	{ names: figures("double-bench", 8), title: "The annotators' page", why: noNumbers },
	{
		names: figures("double-bench", 9),
		title: "A shortcut",
		why: `${noNumbers}: a single case; hopscope report shows those of a run`,
	},
	{ names: figures("double-bench", 10, 26), title: "Prompts", why: promptWhy },
	{ names: tables("mmhops", 1), title: "Other data sets", why: comparing },
	{ names: figures("mmhops", 1, 3), title: "Drawings of the task, the construction and the training", why: noNumbers },
];
