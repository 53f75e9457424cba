import type { Position } from '../distance.ts';

/** Where a map begins that was told nothing: the middle of Washington, also of what has no coordinates of its own. */
export const REGION_CENTER: Position = { lat: 38.9072, lon: -77.0369 };

/** What `outlines` draws with care. */
export const REGION_BOUNDS = { south: 38.2, west: -78.3, north: 39.75, east: -76.1 } as const;

/** What it draws at all, so that the edge is not seen at zoom 8; a map need not be moved farther. */
export const OUTER_BOUNDS = { south: 35.6, west: -81.8, north: 41.6, east: -72.6 } as const;
