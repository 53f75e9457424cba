import { z } from 'zod';
import { common, readConfig } from '@beltway/kit/config';

/** `REDIS_URL` (in `common`) will connect several instances; until then there is one. */
export const readRealtimeConfig = () => readConfig({ ...common, PUBLIC_URL: z.url() });
