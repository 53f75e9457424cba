/**
 * Price in cents of the pricing page's cheapest package, which runs for a week. It is in a separate file because the
 * home page requires only this value of the package list (ads.ts). The test of ads.ts compares this value with the
 * list.
 */
export const WEEK_FROM_CENTS = 4_999;
