import type { ContentModeratedV1 } from '@beltway/contracts/identity/moderation';
import type { Queryable } from '@beltway/kit/postgres';

type Decided = ContentModeratedV1['data'];

/**
 * Notes how far what admins decided of one thing has come here. False: a later decision was heard before, and this one counts no more. The
 * same one may be done again: its effect is what may have been cut off.
 */
export async function isNewest(db: Queryable, { kind, id, decision }: Decided): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into content_decisions as d (kind, content_id, decision) values ($1, $2, $3)
     on conflict (kind, content_id) do update set decision = excluded.decision where d.decision <= excluded.decision`,
    [kind, id, decision],
  );
  return rowCount === 1;
}
