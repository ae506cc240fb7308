import type { AgentContext, Tools } from "#agents";
import type { Intervened, Task, TaskView, Trajectory } from "#domain";

/** What an intervention works with in one task. */
export interface Given {
	view: TaskView;
	/** As the run made it, with the tools untouched. */
	context: AgentContext;
	gold: Task;
	/** Of the whole benchmark. */
	tasks: readonly Task[];
	seed: number;
	note: Note;
	/** Whether the agent asks a model: only then are words beside its question sure to be read. */
	asksModel: boolean;
	/** Asks the agent itself; it sees the gold task only where it needs it. */
	ask(view: TaskView, change?: { tools?: Tools; gold?: Task }): Promise<Trajectory>;
}

/** A family of siblings: each lets the agent answer one task in a world that it changed. */
export type Intervene = (given: Given) => Promise<Trajectory>;

/** Keeps what an intervention did in one task. */
export interface Note {
	searched(): void;
	/** A search was acted on, for these gold hops. */
	acted(hops?: readonly string[]): void;
	/** Something was given without a search. */
	gave(hops?: readonly string[]): void;
	replaced?: Intervened["replaced"];
	planted?: Intervened["planted"];
	/** Why it cannot take hold here. */
	why?: string;
	ended(): Intervened;
}

export function createNote(): Note {
	const hops = new Set<string>();
	let searches = 0;
	let acted = 0;
	let gave = false;
	const note: Note = {
		searched() {
			searches += 1;
		},
		acted(given = []) {
			acted += 1;
			for (const hop of given) hops.add(hop);
		},
		gave(given = []) {
			gave = true;
			for (const hop of given) hops.add(hop);
		},
		ended() {
			const held = acted > 0 || gave;
			const why = note.why ?? (searches === 0 ? "nothing was searched" : "no search gave it anything to act on");
			return {
				held,
				...(held ? {} : { why }),
				...{ searches, acted, hops: [...hops] },
				...(note.replaced ? { replaced: note.replaced } : {}),
				...(note.planted ? { planted: note.planted } : {}),
			};
		},
	};
	return note;
}
