import { z } from 'zod';
import { common, readConfig, urlList } from '@beltway/kit/config';
import { objectsVariables } from '@beltway/kit/engine-settings';

const webUrl = z.url({ protocol: /^https?$/ });

/** What media reads from its environment. */
export const variables = {
  ...common,
  ...objectsVariables,
  /** Asked which pictures somebody names. */
  CATALOG_URL: urlList,
  REALTIME_URL: urlList,
  /** Pictures made at the same time, each in a process of its own. */
  MEDIA_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  /** The national weather service, `https://api.weather.gov`. */
  WEATHER_SERVICE_URL: webUrl.optional(),
  /** The open weather API, `https://api.open-meteo.com/v1/forecast`, and its key where it wants one. */
  OPEN_WEATHER_URL: webUrl.optional(),
  OPEN_WEATHER_KEY: z.string().max(200).optional(),
  /** Where signals of live streams are taken in by RTMP, `127.0.0.1:1935`; not set: they are not. */
  INGEST_ADDRESS: z
    .string()
    .regex(/^(\d{1,3}\.){3}\d{1,3}:\d{1,5}$/, 'must be an IPv4 address and a port, 127.0.0.1:1935')
    .optional(),
  /** What organizers are told to send to, `rtmp://live.example.org/live`; default: made of INGEST_ADDRESS. */
  INGEST_URL: z.url({ protocol: /^rtmps?$/, error: 'must be rtmp://… or rtmps://…' }).optional(),
  /** Whether cameras of browsers are taken in: they come by UDP to any port of this machine. */
  INGEST_CAMERAS: z.enum(['on', 'off']).default('on'),
  /** Whom the weather services can write to, as they ask for. */
  SUPPORT_EMAIL: z.email().optional(),
};

export const readMediaConfig = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
