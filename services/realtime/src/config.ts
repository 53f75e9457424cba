import { z } from 'zod';
import { common, readConfig, urlList } from '@beltway/kit/config';

/** What realtime reads from its environment. `REDIS_URL` (in `common`) connects several instances. */
export const variables = {
  ...common,
  PUBLIC_URL: z.url(),
  CATALOG_URL: urlList,
  /** `off`: no limits of the chat, in embedded mode only. For measuring. */
  BELTWAY_RATE_LIMITS: z.enum(['on', 'off']).default('on'),
};

export const readRealtimeConfig = () => readConfig(variables);
