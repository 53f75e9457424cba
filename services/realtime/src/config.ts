import { z } from 'zod';
import { isVapidKey } from './notifications/push-sender.ts';
import { common, readConfig, urlList } from '@beltway/kit/config';
import { mailVariables } from '@beltway/kit/mail/service';

/** Environment variables of realtime. `REDIS_URL` (in `common`) connects several instances. */
export const variables = {
  ...common,
  PUBLIC_URL: z.url(),
  CATALOG_URL: urlList,
  MEDIA_URL: urlList,
  ...mailVariables,
  /**
   * The private key (P-256) that identifies us to push services: 32 bytes in hex or base64url. If not set, nothing is
   * pushed to browsers.
   */
  VAPID_PRIVATE_KEY: z.string().refine(isVapidKey, 'must be a P-256 key of 32 bytes, in hex or base64url').optional(),
};

export const readRealtimeConfig = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
