import type { Position } from '../distance.ts';

/** The middle of Washington: the default center of a map, and the position to use if there are no coordinates. */
export const REGION_CENTER: Position = { lat: 38.9072, lon: -77.0369 };

/** The area that `outlines` draws in detail. */
export const REGION_BOUNDS = { south: 38.2, west: -78.3, north: 39.75, east: -76.1 } as const;

/**
 * The area of everything that is drawn. It is large enough that no edge is visible at zoom 8, so maps need not pan
 * beyond it.
 */
export const OUTER_BOUNDS = { south: 35.6, west: -81.8, north: 41.6, east: -72.6 } as const;
