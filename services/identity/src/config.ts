import { z } from 'zod';
import { common, readConfig, secretList, urlList } from '@beltway/kit/config';
import { mailVariables } from '@beltway/kit/mail/service';

/** What identity reads from its environment. */
export const variables = {
  ...common,
  /** Those that have something of people: asked for an account's data, and whether it can be erased. */
  CATALOG_URL: urlList,
  TICKETING_URL: urlList,
  PAYMENTS_URL: urlList,
  MEDIA_URL: urlList,
  REALTIME_URL: urlList,
  PUBLIC_URL: z.url().default('http://localhost:3000'),
  /** Seals the private signing keys in the database. All instances share it. */
  KEY_ENCRYPTION_SECRET: secretList(),
  /** `SUPPORT_EMAIL` also gets the messages of the contact form; not set, they are only kept. */
  ...mailVariables,
  BELTWAY_DEMO: z.enum(['0', '1']).default('1'),
  /** Password hashes at once. One core of two stays free for everything else. */
  HASHES_RUNNING: z.coerce.number().int().min(1).default(1),
  /** Who may wait for one, in each of the two lanes (password/fair-queue.ts): at 33 ms each, four seconds of work. */
  HASHES_WAITING: z.coerce.number().int().min(0).default(128),
  /** How many of one address in the lane of the others: a second of work. */
  HASHES_WAITING_EACH: z.coerce.number().int().min(0).default(32),
};

export const config = (env?: NodeJS.ProcessEnv) => readConfig(variables, env);
export type Config = ReturnType<typeof config>;

/** The demo accounts live on one's own machine only. */
export const demoOn = ({ BELTWAY_MODE, BELTWAY_DEMO }: Pick<Config, 'BELTWAY_MODE' | 'BELTWAY_DEMO'>): boolean =>
  BELTWAY_MODE === 'embedded' && BELTWAY_DEMO !== '0';
