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

/** Saves the current name of a writer or moderator, which is also shown with the person's older texts and actions. */
export const noteWriter = (tx: Queryable, { id, name }: { id: number; name: string }) =>
  kysely(tx)
    .insertInto('communityPeople')
    .values({ userId: id, name })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ name }).where('communityPeople.name', 'is distinct from', name),
    )
    .execute();

/** Whether the account is younger than a day, or identity's message about it has not arrived. */
export async function isNewAccount(db: Queryable, userId: number, now: Date): Promise<boolean> {
  const older = await kysely(db)
    .selectFrom('communityPeople')
    .select('userId')
    .where('userId', '=', userId)
    .where('registeredAt', '<=', new Date(now.getTime() - DAY_MS))
    .executeTakeFirst();
  return older === undefined;
}

/** Saves what identity published about an account, unless the account was erased. */
const keep = (pool: Pool, userId: number, published: { registeredAt: string } | { isVisible: boolean }) =>
  insertIf(kysely(pool), 'communityPeople', communityPeople, { userId, ...published }, notErased(userId))
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(published))
    .execute();

/**
 * Records when accounts were created and which accounts have a public profile. A new consumer group starts with the
 * oldest message on the bus; accounts whose messages have expired are covered only after identity's log is published
 * again (docs/decisions/0114).
 */
export const followAccounts = ({ pool, bus, log }: { pool: Pool; bus: Bus; log: Logger }): Promise<Subscription> =>
  consume({
    ...{ pool, bus, log, group: 'realtime.accounts' },
    topics: ['identity.events'],
    handlers: {
      'identity.user-registered': onRepeatable(
        UserRegisteredV1,
        async ({ data, occurredAt }) => void (await keep(pool, data.userId, { registeredAt: occurredAt })),
      ),
      // A person's messages arrive in order. After a replay from the beginning, the last message wins again.
      'identity.visibility-chosen': onRepeatable(
        VisibilityChosenV1,
        async ({ data: { userId, isVisible } }) => void (await keep(pool, userId, { isVisible })),
      ),
    },
  });
