import type { Pool } from 'pg';
import type { Role } from '@beltway/contracts/common/basics';
import type { Logger } from '@beltway/kit/logger';
import { HttpProblem } from '@beltway/kit/problems';
import { anyOf } from '@beltway/kit/kysely';
import { kysely } from './db.ts';

interface DemoAccount {
  email: string;
  password: string;
  name: string;
  role: Role;
}

/** Accounts for trying Beltway. Their password is printed on the sign-in page of embedded mode. */
const DEMO: DemoAccount[] = [
  { email: 'explorer@beltway.test', password: 'demo-beltway', name: 'Demo Explorer', role: 'user' },
  { email: 'business@beltway.test', password: 'demo-beltway', name: 'Demo Business', role: 'business' },
  { email: 'admin@beltway.test', password: 'demo-beltway', name: 'Demo Admin', role: 'admin' },
];

/**
 * Whether an account is a demo account. Accounts with a public password must not work in production, even if the
 * database was once a demo.
 */
export const isDemo = (email: string): boolean => DEMO.some((account) => account.email === email);

/**
 * Registers the demo accounts once, each with a fixed command id. Skips existing accounts: registering them again would
 * check a password, and load Prisma's client, which takes 25 MB and is otherwise not needed at startup.
 */
export async function createDemoAccounts(
  accounts: {
    register(
      account: DemoAccount,
      request: { key: string; requestId: string; address: string; demo: true },
    ): Promise<unknown>;
  },
  pool: Pick<Pool, 'query'>,
  log: Logger,
): Promise<void> {
  const known = await kysely(pool)
    .selectFrom('users')
    .select('email')
    .where('email', '=', anyOf(DEMO.map(({ email }) => email)))
    .execute();
  for (const account of DEMO) {
    if (known.some(({ email }) => email === account.email)) continue;
    try {
      const request = { key: `demo:${account.email}`, requestId: 'demo', address: 'demo', demo: true } as const;
      await accounts.register(account, request);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      log.warn({ email: account.email, code: error.code }, 'a demo account could not be created');
    }
  }
}
