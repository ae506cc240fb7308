/**
 * The rooms of the library, in the order in which they may import: a room imports only the faces of rooms named in
 * its `may`, all of which stand above it. The import check, the package's `imports` map and docs/architecture.md are
 * made from this table.
 */
export const rooms = {
	domain: { holds: "the words: schemas and types of everything that crosses a room or reaches disk", may: [] },
	store: {
		holds: "records and blobs on disk: appended, versioned, named by content, never rewritten",
		may: ["domain"],
	},
	models: {
		holds: "calls to language models: providers, cached replies, retries, limits, cost; the scripted model for tests",
		may: ["domain", "store"],
	},
	corpus: { holds: "reading sources into passages, pages and images with stable ids", may: ["domain", "store"] },
	encoders: {
		holds: "texts, images and pages into vectors: the conventions of models, ONNX, servers, the offline defaults",
		may: ["domain", "store", "models", "corpus"],
	},
	graph: {
		holds: "entities and quoted relations of a corpus: extraction with a model, import, neighbours",
		may: ["domain", "store", "models", "corpus"],
	},
	knowledge: {
		holds:
			"making a corpus searchable (lexical, dense, late interaction, image, graph) and searching it, or an own engine",
		may: ["domain", "store", "models", "corpus", "encoders", "graph"],
	},
	benchmarks: {
		holds: "opening, checking, writing and importing benchmarks",
		may: ["domain", "store"],
	},
	agents: {
		holds: "tools, protocols and agents: what answers a task and leaves a trajectory",
		may: ["domain", "models", "corpus", "knowledge"],
	},
	scoring: { holds: "metrics, judges and statistics: records in, scores out", may: ["domain", "models"] },
	diagnosis: {
		holds: "alignment, hop verdicts, findings, intervention plans, error budget: which hop breaks, why, what it costs",
		may: ["domain", "scoring"],
	},
	runs: {
		holds: "plan, schedule, answer, record, score, resume",
		may: ["domain", "store", "models", "knowledge", "benchmarks", "agents", "scoring"],
	},
	recipes: {
		holds: "building a benchmark: the stage engine, the five recipes, templates without a model, review",
		may: ["domain", "store", "models", "corpus", "encoders", "graph", "knowledge", "benchmarks", "scoring"],
	},
	training: {
		holds: "training on what was verified: conversations and pairs, rewards, the environment",
		may: [
			"domain",
			"store",
			"models",
			"corpus",
			"knowledge",
			"benchmarks",
			"agents",
			"scoring",
			"diagnosis",
			"runs",
			"recipes",
		],
	},
	reports: {
		holds: "what was recorded, shown: terminal tables and static pages with plots",
		may: ["domain", "store", "scoring", "diagnosis"],
	},
	logs: {
		holds: "a run in the forms of other tools' logs: OTLP traces, sent or as a file, and Inspect logs",
		may: ["domain", "store", "models"],
	},
	studio: {
		holds: "what the pages of the studio show, as data: a run's index, filters, one answer with everything",
		may: ["domain", "store", "scoring", "diagnosis", "reports"],
	},
	workbench: {
		holds: "the application: every verb as a function over a workspace, with events, nothing printed",
		may: [
			"domain",
			"store",
			"models",
			"corpus",
			"encoders",
			"graph",
			"knowledge",
			"benchmarks",
			"agents",
			"scoring",
			"diagnosis",
			"runs",
			"recipes",
			"training",
			"reports",
			"logs",
			"studio",
		],
	},
	server: {
		holds: "HTTP faces: retrieval in the published forms and our own, the environment and its rewards, the studio",
		may: ["domain", "store", "models", "knowledge", "agents", "training", "studio", "workbench"],
	},
	cli: { holds: "one file a command: parse, call the workbench, print", may: "all" },
};
