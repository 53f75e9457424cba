import { UserRegisteredV1 } from '@beltway/contracts/identity/accounts';
import { VisibilityChosenV1 } from '@beltway/contracts/identity/points';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onRepeatable } from '@beltway/kit/bus/consume';
import { insertIf, notErased } from '@beltway/kit/kysely';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';
import { communityPeople } from '../generated/tables.ts';

const DAY_MS = 24 * 3_600_000;

/** The name that who writes has now: what they wrote before shows it too. */
export const noteWriter = (tx: Queryable, { id, name }: { id: number; name: string }) =>
  kysely(tx)
    .insertInto('communityPeople')
    .values({ userId: id, name })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ name }).where('communityPeople.name', 'is distinct from', name),
    )
    .execute();

/** Whether the account is younger than a day, or identity's message of it was not heard yet. */
export async function isNewAccount(db: Queryable, userId: number, now: Date): Promise<boolean> {
  const older = await kysely(db)
    .selectFrom('communityPeople')
    .select('userId')
    .where('userId', '=', userId)
    .where('registeredAt', '<=', new Date(now.getTime() - DAY_MS))
    .executeTakeFirst();
  return older === undefined;
}

/** Keeps what identity published of an account, unless it was erased. */
const keep = (pool: Pool, userId: number, published: { registeredAt: string } | { isVisible: boolean }) =>
  insertIf(kysely(pool), 'communityPeople', communityPeople, { userId, ...published }, notErased(userId))
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(published))
    .execute();

/** Keeps since when there is an account and who shows a profile, of all that there ever were: the group begins with the oldest message. */
export const followAccounts = ({ pool, bus, log }: { pool: Pool; bus: Bus; log: Logger }): Promise<Subscription> =>
  consume({
    ...{ pool, bus, log, group: 'realtime.accounts' },
    topics: ['identity.events'],
    handlers: {
      'identity.user-registered': onRepeatable(
        UserRegisteredV1,
        async ({ data, occurredAt }) => void (await keep(pool, data.userId, { registeredAt: occurredAt })),
      ),
      // Of one person they come in their order; read again from the beginning, the last one counts again.
      'identity.visibility-chosen': onRepeatable(
        VisibilityChosenV1,
        async ({ data: { userId, isVisible } }) => void (await keep(pool, userId, { isVisible })),
      ),
    },
  });
