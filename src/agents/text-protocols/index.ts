/** Baselines for readers of text, published for questions of several hops; question images as pictures or captions. */
export { ircot } from "./ircot.ts";
export { react } from "./react/react.ts";
export { selfAsk } from "./self-ask/self-ask.ts";
