import { z } from 'zod';
import type { PaidLevel } from './promotion.ts';

/** A place of the home page that promoted events take turns in: the featured strip, and the top of 'Happening Now'. */
export const PromotedPlace = z.enum(['featured', 'premium']);
export type PromotedPlace = z.infer<typeof PromotedPlace>;
/** The levels that have each place. */
export const LEVELS_OF_PLACE = {
  featured: ['featured'],
  premium: ['premium', 'livestream'],
} as const satisfies Record<PromotedPlace, readonly PaidLevel[]>;

/** How often an event was seen in its place, and how often all events in that place were seen while it was promoted. */
export const ShownInPlace = z.object({ place: PromotedPlace, impressions: z.int(), ofPlace: z.int() });
export type ShownInPlace = z.infer<typeof ShownInPlace>;
