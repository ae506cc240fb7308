import type { Diagnosis, RunRecord, ScoreRow, Task } from "#domain";
import type { Measured, ReportRun } from "../report-data.ts";
import type { Embedder } from "./evidence-vectors.ts";

/** What a table's cell holds. A value that was not measured says why; it is never 0 or empty. */
export type Cell =
	| { is: "text"; text: string }
	/** A number that is counted, or given by whoever made the data. `of`: out of so many. */
	| { is: "count"; value: number; of?: number }
	/** With its interval, counts and reasons. `marks`: significance, as `Mark` says. */
	| { is: "measured"; measured: Measured; marks?: Mark[] }
	/**
	 * A published figure: not run here. `value` is on the column's scale, as measured values are (shares from 0 to 1);
	 * `shown`: its digits as printed; `spread`: as published (variance or interval), in words.
	 */
	| { is: "published"; value: number; shown?: string; spread?: string }
	| { is: "unscored"; reason: string };

/** Better or worse than the row's reference by a test corrected for all tests of the table. */
export interface Mark {
	/** The column or row it was compared with. */
	against: string;
	/** Corrected p. */
	p: number;
	better: boolean;
}

export interface Column {
	/** `run`: the column of the runs' labels. Rows whose other texts are alike are compared with one another. */
	key: string;
	title: string;
	/** How numbers of the column are written: shares (from 0 to 1 in the data) as percent, others as they are. */
	unit: "percent" | "number" | "milliseconds" | "text";
	/** Numbers are differences, and written with their sign. */
	signed?: boolean;
	/** Columns under one heading, e.g. a topology over its metrics. */
	group?: string;
	/** Beside its numbers stand the bounds that what was not scored leaves open. */
	bounded?: boolean;
	/** Which direction is better, for marks and bold; absent: neither. */
	better?: "higher" | "lower";
}

export interface ViewRow {
	/** The run it is of, where it is of one; its label is in the cells. */
	run?: string;
	cells: Record<string, Cell>;
	/**
	 * `published`: not run here; `intervention`: a re-run with a part of the world changed, no plain score; `reference`: an
	 * agent to compare with, never the best. Rows with a `run` get theirs from its manifest where they have none.
	 */
	kind?: "plain" | "reference" | "published" | "intervention";
}

/** How a view is drawn; numbers are the table's. */
export interface ViewPlot {
	/**
	 * lines: a line a series over x; bars: counts or shares by x; rows: intervals, one a row; cells: a heat map; curve; frontier: points
	 * over what they cost, those that no other beats joined.
	 */
	form: "lines" | "bars" | "rows" | "cells" | "curve" | "frontier";
	/** Keys of columns. */
	x: string;
	y: string;
	/** The column that tells the series apart. */
	series?: string;
	/** A plot of its own for each value of this column, or of several joined. */
	split?: string;
	/** Of `cells`: the column that the colour shows; of `frontier`: the one that names the points. */
	value?: string;
	/** What the axes are called. */
	xTitle: string;
	yTitle: string;
}

/** One table with its plots: data that every format shows alike. */
export interface View {
	/** Of the builder; with its variant, e.g. `by-topology`. */
	name: string;
	title: string;
	/** What a reader must know to read it, in a sentence or two. */
	describe: string;
	/** Which published table or figure it follows. */
	source: string;
	/** What the measured numbers are over where it is not tasks: one of them, e.g. `hop`. */
	over?: string;
	/** The column whose values tables set side by side, what stands before it naming the rows. */
	across?: string;
	/** How its intervals were made, where there is more to say than every table says. */
	intervals?: string;
	columns: Column[];
	rows: ViewRow[];
	plots: ViewPlot[];
	/** What is missing, left out or to be taken with care. */
	notes: string[];
}

/** A run as views are built from it: with the diagnoses of its records, where any were made. */
export type ViewRun = ReportRun;

/** Every expected record of a run, joined with what is known of it. */
export interface ViewItem {
	task: Task;
	repeat: number;
	record?: RunRecord | undefined;
	row?: ScoreRow | undefined;
	diagnosis?: Diagnosis | undefined;
}

export interface ViewOptions {
	/** A slice's or tag's name, for views that can be grouped otherwise than they are by themselves. */
	by?: string | undefined;
	/** What tells how alike two evidences are; what needs it is unscored without. */
	embedder?: Embedder | undefined;
	/** Names of runs as they are shown. */
	label(run: ViewRun): string;
}

/** What a builder makes of runs; what names the view is the builder's own. */
export type ViewBody = Omit<View, "name" | "title" | "describe" | "source">;

/** A family of siblings: one file each, all in the registry. */
export interface ViewBuilder {
	name: string;
	/** Takes seconds for a run: made where it is named, and not for every page. */
	slow?: true;
	title: string;
	describe: string;
	source: string;
	/** What runs need to have for it: a view that finds nothing says so in a note instead of a row of zeros. */
	build(runs: readonly ViewRun[], options: ViewOptions): ViewBody | Promise<ViewBody>;
}
