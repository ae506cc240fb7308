/** For those who serve from a program of their own what `hopscope serve` serves. */
export { type RunningServer, type ServerOptions, startServer } from "#server";
