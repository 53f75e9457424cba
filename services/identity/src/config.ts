import { z } from 'zod';
import { common, readConfig, secretList, urlList } from '@beltway/kit/config';
import { mailVariables } from '@beltway/kit/mail/service';

/** The environment variables of identity. */
export const variables = {
  ...common,
  /**
   * The services that hold personal data. Identity requests exports from them, and asks them for reasons against
   * erasing an account.
   */
  CATALOG_URL: urlList,
  TICKETING_URL: urlList,
  PAYMENTS_URL: urlList,
  MEDIA_URL: urlList,
  REALTIME_URL: urlList,
  PUBLIC_URL: z.url().default('http://localhost:3000'),
  /** Encrypts the private signing keys in the database. All instances use the same secret. */
  KEY_ENCRYPTION_SECRET: secretList(),
  /** `SUPPORT_EMAIL` also receives the messages of the contact form. Without it, the messages are only stored. */
  ...mailVariables,
  BELTWAY_DEMO: z.enum(['0', '1']).default('1'),
  /** Maximum concurrent password hashes. With the default, one of two cores stays free for everything else. */
  HASHES_RUNNING: z.coerce.number().int().min(1).default(1),
  /**
   * Maximum length of each of the two queues (password/fair-queue.ts). At 33 ms per hash, 128 places are four seconds
   * of work.
   */
  HASHES_WAITING: z.coerce.number().int().min(0).default(128),
  /** Maximum places of one IP address in the queue of unknown devices: a second of work. */
  HASHES_WAITING_EACH: z.coerce.number().int().min(0).default(32),
};

export const config = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
export type Config = ReturnType<typeof config>;

/** Demo accounts exist only on the developer's own machine. */
export const demoOn = ({ BELTWAY_MODE, BELTWAY_DEMO }: Pick<Config, 'BELTWAY_MODE' | 'BELTWAY_DEMO'>): boolean =>
  BELTWAY_MODE === 'embedded' && BELTWAY_DEMO !== '0';
