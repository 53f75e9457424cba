import { UserRegisteredV1 } from '@beltway/contracts/identity/accounts';
import { VisibilityChosenV1 } from '@beltway/contracts/identity/points';
import type { Bus, Subscription } from '@beltway/kit/bus';
import { consume, onRepeatable } from '@beltway/kit/bus/consume';
import type { Logger } from '@beltway/kit/logger';
import type { Queryable } from '@beltway/kit/postgres';
import type { Pool } from 'pg';

const DAY_MS = 24 * 3_600_000;

/** The name that who writes has now: posts of before show it too. */
export const noteWriter = (tx: Queryable, { id, name }: { id: number; name: string }) =>
  tx.query({
    name: 'note-writer',
    text: `insert into community_people (user_id, name) values ($1, $2)
      on conflict (user_id) do update set name = excluded.name where community_people.name is distinct from excluded.name`,
    values: [id, name],
  });

/** Whether the account is younger than a day, or identity's message of it was not heard yet. */
export async function isNewAccount(db: Queryable, userId: number, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'old-account',
    text: 'select from community_people where user_id = $1 and registered_at <= $2',
    values: [userId, new Date(now.getTime() - DAY_MS)],
  });
  return rowCount === 0;
}

/** Keeps since when there is an account and who shows a profile, of all that there ever were: the group begins with the oldest message. */
export const followAccounts = ({ pool, bus, log }: { pool: Pool; bus: Bus; log: Logger }): Promise<Subscription> =>
  consume({
    ...{ pool, bus, log, group: 'realtime.accounts' },
    topics: ['identity.events'],
    handlers: {
      'identity.user-registered': onRepeatable(UserRegisteredV1, async ({ data, occurredAt }) => {
        await pool.query(
          `insert into community_people (user_id, registered_at) select $1::integer, $2::timestamptz
           where not exists (select from erasures where user_id = $1)
           on conflict (user_id) do update set registered_at = excluded.registered_at`,
          [data.userId, occurredAt],
        );
      }),
      // Of one person they come in their order; read again from the beginning, the last one counts again.
      'identity.visibility-chosen': onRepeatable(VisibilityChosenV1, async ({ data: { userId, isVisible } }) => {
        await pool.query(
          `insert into community_people (user_id, is_visible) select $1::integer, $2::boolean
           where not exists (select from erasures where user_id = $1)
           on conflict (user_id) do update set is_visible = excluded.is_visible`,
          [userId, isVisible],
        );
      }),
    },
  });
