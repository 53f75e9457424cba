import { z } from 'zod';
import { common, readConfig } from '@beltway/kit/config';
import { objectsVariables } from '@beltway/kit/engine-settings';

const webUrl = z.url({ protocol: /^https?$/ });

/** What media reads from its environment. */
export const variables = {
  ...common,
  ...objectsVariables,
  /** Pictures made at the same time, each in a process of its own. */
  MEDIA_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  /** The national weather service, `https://api.weather.gov`. */
  WEATHER_SERVICE_URL: webUrl.optional(),
  /** The open weather API, `https://api.open-meteo.com/v1/forecast`, and its key where it wants one. */
  OPEN_WEATHER_URL: webUrl.optional(),
  OPEN_WEATHER_KEY: z.string().max(200).optional(),
  /** Whom the weather services can write to, as they ask for. */
  SUPPORT_EMAIL: z.email().optional(),
};

export const readMediaConfig = () => readConfig(variables);
