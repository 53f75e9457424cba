import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { common, ConfigError, readConfig } from '@beltway/kit/config';
import { isOnThisMachine } from '@beltway/kit/loopback';
import { seed } from '../seed.ts';

/** Environment variables of `fill`: URLs of the services, and the password of the accounts that `fill` creates. */
export const variables = {
  PUBLIC_URL: z.url().refine(isOnThisMachine, 'must be on localhost: demo data is for one’s own machine only'),
  IDENTITY_URL: z.url(),
  CATALOG_URL: z.url(),
  TICKETING_URL: z.url(),
  PAYMENTS_URL: z.url(),
  MEDIA_URL: z.url(),
  SANDBOX_URL: z.url(),
  INTERNAL_TOKEN: common.INTERNAL_TOKEN,
  DEMO_PASSWORD: z.string().min(32),
  DATA_DIR: z.string(),
};

const BUSINESS = { email: 'demo.business@beltway.test', name: 'Demo Business', role: 'business' };
const EXPLORER = { email: 'demo.explorer@beltway.test', name: 'Demo Explorer', role: 'user' };

/** Registers an account. An existing one is not changed. */
async function register(identity: string, account: typeof BUSINESS, password: string): Promise<void> {
  const answer = await fetch(new URL('/api/auth/register', identity), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, password }),
    signal: AbortSignal.timeout(20_000),
  });
  if (answer.ok || answer.status === 409) return void (await answer.body?.cancel());
  throw new Error(`${account.email} could not be registered: ${answer.status} ${await answer.text()}`);
}

/**
 * Fills an empty Beltway in containers with demo data, once: a marker file in DATA_DIR records that the data is
 * complete. After an interruption the next start continues.
 */
export async function fill(env: NodeJS.ProcessEnv, say: (text: string) => void): Promise<void> {
  const config = readConfig(variables, env);
  const note = join(config.DATA_DIR, 'seeded');
  if (existsSync(note)) return say('the demo data is there already');
  for (const account of [BUSINESS, EXPLORER]) await register(config.IDENTITY_URL, account, config.DEMO_PASSWORD);
  const urls = {
    ...{ identity: config.IDENTITY_URL, catalog: config.CATALOG_URL, ticketing: config.TICKETING_URL },
    ...{ payments: config.PAYMENTS_URL, media: config.MEDIA_URL, sandbox: config.SANDBOX_URL },
    gateway: config.PUBLIC_URL,
    internalToken: config.INTERNAL_TOKEN[0],
  };
  const accounts = { business: BUSINESS.email, explorer: EXPLORER.email, password: config.DEMO_PASSWORD };
  await seed(urls, say, accounts);
  writeFileSync(note, 'demo data\n');
  say(`sign in as ${BUSINESS.email} or ${EXPLORER.email}, with DEMO_PASSWORD of .env`);
}

if (import.meta.main)
  fill(process.env, (text) => console.log(text)).catch((error: unknown) => {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(1);
  });
