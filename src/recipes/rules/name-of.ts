/** The name that a title gives: what tells namesakes apart, in brackets behind it, is nothing that people say. */
export const nameOf = (title: string): string => title.replace(/(?<=\S)\s+\([^()]*\)$/u, "");
