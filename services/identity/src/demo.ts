import { HttpProblem } from '@beltway/kit/problems';
import type { Logger } from '@beltway/kit/logger';
import type { Accounts, Registration } from './user/accounts.ts';

/** Who comes to try it out. Their password is printed on the sign-in page of embedded mode. */
const DEMO: Registration[] = [
  { email: 'explorer@beltway.test', password: 'demo-beltway', name: 'Demo Explorer', role: 'user' },
  { email: 'business@beltway.test', password: 'demo-beltway', name: 'Demo Business', role: 'business' },
  { email: 'admin@beltway.test', password: 'demo-beltway', name: 'Demo Admin', role: 'admin' },
];

/** Accounts with a password everybody knows must not work where real people are, even if the database once was a demo's. */
export const isDemo = (email: string): boolean => DEMO.some((account) => account.email === email);

/** Makes the demo accounts, once: each has its fixed command id. */
export async function createDemoAccounts(accounts: Pick<Accounts, 'register'>, log: Logger): Promise<void> {
  for (const account of DEMO) {
    try {
      await accounts.register(account, { key: `demo:${account.email}`, requestId: 'demo' });
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      log.warn({ email: account.email, code: error.code }, 'a demo account could not be made');
    }
  }
}
