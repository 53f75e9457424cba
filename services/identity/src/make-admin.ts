import { openStore } from '@beltway/event-store';
import { randomUUID } from 'node:crypto';
import { readConfig } from '@beltway/kit/config';
import { z } from 'zod';
import { toMessages } from './publish.ts';
import { openUsers } from './user/stream.ts';
import { kysely } from './db.ts';

/**
 * `DATABASE_URL=… node src/make-admin.ts ann@example.org`: makes this account the first admin, who can then promote
 * other accounts.
 */
export async function makeAdmin(databaseUrl: string, email: string): Promise<'made' | 'unknown'> {
  const store = openStore({ url: databaseUrl, toMessages, writers: 1 });
  try {
    const account = await kysely(store.pool)
      .selectFrom('users')
      .select('id')
      .where('email', '=', email.toLowerCase())
      .executeTakeFirst();
    if (!account) return 'unknown';
    const users = openUsers(store);
    await users.handle(account.id, { type: 'ChangeRole', role: 'admin' }, { commandId: randomUUID() });
    return 'made';
  } finally {
    await store.close();
  }
}

if (import.meta.main) {
  const { DATABASE_URL } = readConfig({ DATABASE_URL: z.url() });
  const email = z.email().parse(process.argv[2]);
  const outcome = await makeAdmin(DATABASE_URL, email);
  console.log(outcome === 'made' ? `${email} is an admin now.` : `No account has the address ${email}.`);
  process.exitCode = outcome === 'made' ? 0 : 1;
}
