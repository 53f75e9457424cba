import { z } from 'zod';
import { common, readConfig, urlList } from '@beltway/kit/config';
import { objectsVariables } from '@beltway/kit/engine-settings';

const webUrl = z.url({ protocol: /^https?$/ });

/** The environment variables of media. */
export const variables = {
  ...common,
  ...objectsVariables,
  /** The services that know which pictures are still referenced. */
  CATALOG_URL: urlList,
  REALTIME_URL: urlList,
  /** Concurrent image workers, each in its own process. */
  MEDIA_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  /** The national weather service, `https://api.weather.gov`. */
  WEATHER_SERVICE_URL: webUrl.optional(),
  /** The open weather API, `https://api.open-meteo.com/v1/forecast`, and its API key if the API requires one. */
  OPEN_WEATHER_URL: webUrl.optional(),
  OPEN_WEATHER_KEY: z.string().max(200).optional(),
  /**
   * Host and port that receive the RTMP signals of live streams, `127.0.0.1:1935`. If not set, no signals are received.
   */
  INGEST_ADDRESS: z
    .string()
    .regex(/^(\d{1,3}\.){3}\d{1,3}:\d{1,5}$/, 'must be an IPv4 address and a port, 127.0.0.1:1935')
    .optional(),
  /** The URL shown to organizers, `rtmp://live.example.org/live`; by default derived from INGEST_ADDRESS. */
  INGEST_URL: z.url({ protocol: /^rtmps?$/, error: 'must be rtmp://… or rtmps://…' }).optional(),
  /** Whether browser cameras are accepted. Their packets arrive by UDP at any port of this machine. */
  INGEST_CAMERAS: z.enum(['on', 'off']).default('on'),
  /** The email address that the weather services require as a contact. */
  SUPPORT_EMAIL: z.email().optional(),
};

export const readMediaConfig = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
