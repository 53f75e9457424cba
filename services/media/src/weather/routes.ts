import { weatherParameters, type Weather } from '@beltway/contracts/media/weather';
import { badField } from '@beltway/kit/problems';
import type { Position } from '@beltway/places/distance';
import { placeLabel, PLACES } from '@beltway/places/gazetteer';
import { REGION_BOUNDS, REGION_CENTER } from '@beltway/places/map/view';
import { placesNear } from '@beltway/places/near';
import { Router } from 'express';
import { z } from 'zod';
import type { WeatherReports } from './weather.ts';

const { south, west, north, east } = REGION_BOUNDS;
const NAMED_WITHIN_M = 40_000;
/**
 * Positions this close to a place are accepted, because a few places are beyond the map's bounds. Positions are rounded
 * to a tenth of a degree, which moves them by 7 km at most.
 */
const PLACE_WITHIN_M = 8_000;

/** A position in the region, with its common name. */
function placeOf(near: string | undefined): Position & { location: string } {
  if (near === undefined || near === '') return { ...REGION_CENTER, location: 'Washington, DC' };
  const place = PLACES.find(({ id }) => id === near);
  if (place) return { lat: place.lat, lon: place.lon, location: placeLabel(place) };
  const numbers = /^(-?\d{1,3}(?:\.\d{1,10})?),\s*(-?\d{1,3}(?:\.\d{1,10})?)$/.exec(near);
  if (!numbers) throw badField('near', 'invalid.weather-near');
  const [lat, lon] = [Number(numbers[1]), Number(numbers[2])];
  const isOutside = lat < south || lat > north || lon < west || lon > east;
  if (isOutside && placesNear(lat, lon, PLACE_WITHIN_M).length === 0) throw badField('near', 'invalid.outside');
  const nearest = placesNear(lat, lon, NAMED_WITHIN_M).find(
    ({ place: { kind } }) => kind === 'town' || kind === 'neighborhood',
  );
  return { lat, lon, location: nearest ? placeLabel(nearest.place) : 'The DC area' };
}

/** GET /api/weather. A request still succeeds when no source responds. */
export function weatherRoutes(reports: WeatherReports): Router {
  const router = Router();
  router.get('/api/weather', async (req, res) => {
    const { near } = z.object(weatherParameters).parse(req.query);
    const { location, ...at } = placeOf(near);
    const report = await reports.at(at);
    res.set({ 'cache-control': 'public, max-age=60', 'cache-tag': 'weather' });
    res.json({ location, ...report } satisfies Weather);
  });
  return router;
}
