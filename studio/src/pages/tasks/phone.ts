/** A phone, where the rows of a list become cards and its facets a sheet. */
export const phone = "(width < 700px)";
