import { excerptOf } from '@beltway/contracts/identity/moderation';
import type { ModeratedKind } from '@beltway/kit/service/moderated';
import { kysely } from '../db.ts';
import { moderate, removeForGood } from './change.ts';
import { KINDS, RULES } from './kinds.ts';
import { find, shown } from './rows.ts';
import { refuse, type Contributing } from './write.ts';

/** How contributions are reported, and how admins' decisions are carried out. */
export const moderatedContributions = (deps: Contributing): ModeratedKind[] =>
  KINDS.map((kind) => ({
    kind,
    async load(contentId, reporterId) {
      const row = await shown(deps.pool, undefined, kind, Number(contentId));
      const { own, hiddenBy, pathOf } = RULES[kind];
      if (row.authorId === reporterId) refuse(own);
      // Stores the reported text for the moderators' list.
      if (hiddenBy === 'moderation')
        await kysely(deps.pool)
          .insertInto('reportedTexts')
          .columns(['contributionId', 'version', 'text'])
          .expression(({ selectFrom }) =>
            selectFrom('contributions')
              .select(['id', 'version', (eb) => eb.ref('text').$notNull().as('text')])
              .where('id', '=', row.id)
              .where('text', 'is not', null),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      return { authorId: row.authorId, excerpt: excerptOf(row.text!), path: pathOf(row), version: row.version };
    },
    async apply({ id, action, adminId, at }) {
      if (action !== 'remove')
        return moderate(deps, kind, Number(id), { moderator: { id: adminId, isAdmin: true }, action }, at);
      const row = await find(deps.pool, undefined, kind, Number(id));
      if (row) await removeForGood(deps, row);
    },
  }));
