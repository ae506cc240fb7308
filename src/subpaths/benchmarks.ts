/** For those who make benchmarks: writing and checking them, the published forms, composing tasks of typed facts. */
export { benchmarkProblems, checkBenchmark, type Format, formats, writeBenchmark } from "#benchmarks";
export { chainProblems, type Topology, topologyOf } from "#domain";
export { composeTasks, type TypedGraph } from "#recipes";
