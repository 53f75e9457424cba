import type { ContentModeratedV1 } from '@beltway/contracts/identity/moderation';
import type { Queryable } from '@beltway/kit/postgres';
import { kysely } from '../db.ts';

type Decided = ContentModeratedV1['data'];

/**
 * Notes how far what admins decided of one thing has come here. False: a later decision was heard before, and this one counts no more. The
 * same one may be done again: its effect is what may have been cut off.
 */
export async function isNewest(db: Queryable, { kind, id, decision }: Decided): Promise<boolean> {
  const { numInsertedOrUpdatedRows: written } = await kysely(db)
    .insertInto('contentDecisions')
    .values({ kind, contentId: id, decision })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'contentId'])
        .doUpdateSet((eb) => ({ decision: eb.ref('excluded.decision') }))
        .whereRef('contentDecisions.decision', '<=', 'excluded.decision'),
    )
    .executeTakeFirstOrThrow();
  return written === 1n;
}
