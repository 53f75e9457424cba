import { z } from 'zod';
import type { PaidLevel } from './promotion.ts';

/** A place on the home page that rotates promoted events: the featured strip, and the top of 'Happening Now'. */
export const PromotedPlace = z.enum(['featured', 'premium']);
export type PromotedPlace = z.infer<typeof PromotedPlace>;
/** The promotion levels that each place displays. */
export const LEVELS_OF_PLACE = {
  featured: ['featured'],
  premium: ['premium', 'livestream'],
} as const satisfies Record<PromotedPlace, readonly PaidLevel[]>;

/** Impressions of an event in a place, and of all events in that place while the event was promoted. */
export const ShownInPlace = z.object({ place: PromotedPlace, impressions: z.int(), ofPlace: z.int() });
export type ShownInPlace = z.infer<typeof ShownInPlace>;
