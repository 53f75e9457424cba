import { z } from 'zod';
import { common, readConfig } from '@beltway/kit/config';

/** `REDIS_URL` (in `common`) connects several instances. */
export const readRealtimeConfig = () => readConfig({ ...common, PUBLIC_URL: z.url() });
