import { z } from 'zod';
import { common, readConfig, urlList } from '@beltway/kit/config';

/** What realtime reads from its environment. `REDIS_URL` (in `common`) connects several instances. */
export const variables = { ...common, PUBLIC_URL: z.url(), CATALOG_URL: urlList };

export const readRealtimeConfig = () => readConfig(variables);
