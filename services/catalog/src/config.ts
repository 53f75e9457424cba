import { z } from 'zod';
import { common, readConfig, urlList } from '@beltway/kit/config';

export const variables = {
  ...common,
  MEDIA_URL: urlList,
  PAYMENTS_URL: urlList,
  PUBLIC_URL: z.url(),
  /** Google's geocoding API, `https://maps.googleapis.com/maps/api/geocode/json`, or a compatible one. */
  GEOCODING_URL: z.url({ protocol: /^https?$/ }).optional(),
  GEOCODING_KEY: z.string().max(200).optional(),
};

export const readCatalogConfig = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
