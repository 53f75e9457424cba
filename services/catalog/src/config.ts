import { z } from 'zod';
import { common, readConfig, urlList } from '@beltway/kit/config';

/** What the catalog reads from its environment. */
export const variables = {
  ...common,
  MEDIA_URL: urlList,
  PAYMENTS_URL: urlList,
  PUBLIC_URL: z.url(),
  /** Google's geocoding call, `https://maps.googleapis.com/maps/api/geocode/json`, or one that answers as it does. */
  GEOCODING_URL: z.url({ protocol: /^https?$/ }).optional(),
  GEOCODING_KEY: z.string().max(200).optional(),
};

export const readCatalogConfig = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
