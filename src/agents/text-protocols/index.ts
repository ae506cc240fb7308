/** Baselines for readers of text, published for questions of several hops; question images as pictures or captions. */
export { ircot } from "./ircot/agent.ts";
export { react } from "./react/agent.ts";
export { selfAsk } from "./self-ask/agent.ts";
