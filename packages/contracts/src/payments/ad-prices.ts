/**
 * Cents for which a week of the cheapest package is had, rounded up. Alone here: the home page says it and needs nothing else of the
 * catalogue (ads.ts), whose test compares them.
 */
export const WEEK_FROM_CENTS = 2_334;
