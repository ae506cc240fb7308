/** HTTP faces: retrieval in the published forms and our own. */
export { isLoopback } from "./guard.ts";
export { type ReceiverOptions, startReceiver } from "./receiver/start-receiver.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
export { type StudioServerOptions, startStudio } from "./studio/start-studio.ts";
