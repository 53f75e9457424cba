/** Maximum characters of a search. */
export const LONGEST_SEARCH = 200;
