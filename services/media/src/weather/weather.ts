import type { Logger } from '@beltway/kit/logger';
import type { Position } from '@beltway/places/distance';
import { singleFlight } from '@beltway/kit/single-flight';
import { getJson, SourceUnavailable } from '@beltway/kit/bounded-json';
import { seasonal } from './seasonal.ts';
import { latestObservation, openWeather, serviceForecast, type Ask, type Report } from './sources.ts';

export interface WeatherOptions {
  log: Logger;
  /** The national weather service; not used if not set. */
  serviceUrl?: string | undefined;
  /** The open weather API; not used if not set. */
  openUrl?: string | undefined;
  openKey?: string | undefined;
  userAgent?: string;
  /** Timeout for all requests to one source. */
  timeoutMs?: number;
  clock?: () => Date;
}

/** Limit of one response. The sources' longest response is about 100 kB. */
const MAX_BYTES = 512 * 1024;
const TIMEOUT_MS = 3_000;
const FRESH_MS = 10 * 60_000;
/**
 * How long a source is skipped after a failure. Requests then do not wait for the source, and the source is not flooded
 * when it recovers.
 */
const AWAY_MS = 60_000;
/** Ten cells per degree, so that a source learns a user's position only to within a few miles. */
const CELLS_PER_DEGREE = 10;
/** The region has 400 cells. */
const MAX_CELLS = 500;
/** Maximum of cells requested at the same time; further requests get seasonal weather. */
const MAX_ASKING = 8;

const cellOf = ({ lat, lon }: Position): Position => ({
  lat: Math.round(lat * CELLS_PER_DEGREE) / CELLS_PER_DEGREE,
  lon: Math.round(lon * CELLS_PER_DEGREE) / CELLS_PER_DEGREE,
});

/** The weather of places, from the first source that works (services/media/PRODUCT.md#weather). */
export function openWeatherReports(options: WeatherOptions) {
  const { log, serviceUrl, openUrl, openKey, clock = () => new Date(), timeoutMs = TIMEOUT_MS } = options;
  const { userAgent = 'beltway' } = options;
  const kept = new Map<string, { report: Report; until: number }>();
  const away = new Map<string, number>();
  const once = singleFlight<Report>();
  let asking = 0;

  /** A source's response; undefined if it is invalid, or if the source was down within the last minute. */
  async function from<T>(source: string, base: string, work: (ask: Ask) => Promise<T>): Promise<T | undefined> {
    if ((away.get(source) ?? 0) > clock().getTime()) return undefined;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await work((path) => {
        const url = new URL(path, base);
        if (source === 'open' && openKey) url.searchParams.set('apikey', openKey);
        return getJson(url, { signal, maxBytes: MAX_BYTES, userAgent });
      });
    } catch (error) {
      // An invalid response about one place does not mark the source as down.
      if (error instanceof SourceUnavailable) away.set(source, clock().getTime() + AWAY_MS);
      log.warn({ err: error, source }, 'a weather source was skipped');
      return undefined;
    }
  }

  async function ask(at: Position): Promise<Report> {
    const now = clock();
    if (serviceUrl) {
      const base = `${serviceUrl.replace(/\/+$/, '')}/`;
      const found = await from('forecast', base, (get) => serviceForecast(get, at, now));
      if (found) {
        const current = await from('observation', base, (get) => latestObservation(get, found.grid, now));
        return current ? { ...found.report, current, source: 'observation' } : found.report;
      }
    }
    const open = openUrl && (await from('open', openUrl, (get) => openWeather(get, at, now)));
    return open || seasonal(now);
  }

  return {
    /**
     * Cached for ten minutes, or for one minute if a better source may recover. Concurrent requests share one response.
     */
    async at(place: Position): Promise<Report> {
      const cell = cellOf(place);
      const key = `${cell.lat},${cell.lon}`;
      const known = kept.get(key);
      if (known && known.until > clock().getTime()) return known.report;
      return once(key, async () => {
        if (asking >= MAX_ASKING) return seasonal(clock());
        asking++;
        const report = await ask(cell).finally(() => asking--);
        const isBest = report.source === 'observation' || (report.source === 'open' && !serviceUrl);
        kept.delete(key);
        kept.set(key, { report, until: clock().getTime() + (isBest ? FRESH_MS : AWAY_MS) });
        if (kept.size > MAX_CELLS) kept.delete(kept.keys().next().value!);
        return report;
      });
    },
  };
}
export type WeatherReports = ReturnType<typeof openWeatherReports>;
