import { z } from 'zod';
import { getJson } from '@beltway/kit/bounded-json';
import { REGION_BOUNDS } from '@beltway/places/map/view';

export interface Located {
  /** Degrees, WGS 84. */
  lat: number;
  lon: number;
  state: 'DC' | 'MD' | 'VA';
}
/**
 * Returns the position of a location, or null if the geocoding service has no precise match. Throws if the service does
 * not respond.
 */
export type FindLocation = (location: string) => Promise<Located | null>;

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

// developers.google.com/maps/documentation/geocoding/requests-geocoding
const Answer = z.object({
  status: z.string(),
  results: z
    .array(
      z.object({
        partial_match: z.boolean().optional(),
        address_components: z.array(z.object({ short_name: z.string(), types: z.array(z.string()) })),
        geometry: z.object({
          location: z.object({ lat: z.number(), lng: z.number() }),
          location_type: z.string(),
        }),
      }),
    )
    .max(100),
});
const State = z.enum(['DC', 'MD', 'VA']);

const { south, west, north, east } = REGION_BOUNDS;
const isWithinRegion = ({ lat, lng }: { lat: number; lng: number }) =>
  lat >= south && lat <= north && lng >= west && lng <= east;

/** Calls the geocoding service. Accepts only a full match that is within the region and more precise than a town. */
export function geocoder({
  url,
  key,
  timeoutMs = TIMEOUT_MS,
}: {
  url: string;
  key?: string | undefined;
  timeoutMs?: number;
}): FindLocation {
  return async (location) => {
    const asked = new URL(url);
    asked.searchParams.set('address', location);
    asked.searchParams.set('region', 'us');
    asked.searchParams.set('bounds', `${south},${west}|${north},${east}`);
    if (key) asked.searchParams.set('key', key);
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, results } = Answer.parse(
      await getJson(asked, { signal, maxBytes: MAX_BYTES, userAgent: 'beltway' }),
    );
    if (status === 'ZERO_RESULTS') return null;
    if (status !== 'OK') throw new Error(`the geocoding service answered ${status.slice(0, 40)}`);
    const [first] = results;
    if (!first || first.partial_match || first.geometry.location_type === 'APPROXIMATE') return null;
    if (!isWithinRegion(first.geometry.location)) return null;
    const area = first.address_components.find(({ types }) => types.includes('administrative_area_level_1'));
    const state = State.safeParse(area?.short_name);
    if (!state.success) return null;
    const { lat, lng: lon } = first.geometry.location;
    return { lat, lon, state: state.data };
  };
}
