import type { Pool } from 'pg';
import { excerptOf } from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/kit/rejected';
import { notFound } from '@beltway/kit/problems';
import type { ModeratedKind } from '@beltway/kit/service/moderated';
import { kysely } from '../db.ts';
import type { ItemCommand } from './events.ts';
import type { Items } from './stream.ts';
import { ITEM_KINDS, ITEMS, type ItemKind } from './kinds.ts';

interface ModeratedItemsDeps {
  pool: Pool;
  items: Items;
  /** Called when files may no longer be referenced. */
  wakeSweep: () => void;
}

/** Shown to the uploader, who also gets a mail with the reason. */
const HIDDEN = 'It was reported, and an admin hid it.';

/**
 * Stores an admin's reason for a rejection; null deletes the stored reason. Called before the log event is appended, so
 * that each rejection has its reason.
 */
export const setReason = (pool: Pool, kind: ItemKind, id: number, reason: string | null) =>
  kysely(pool).updateTable('itemTexts').set({ reason }).where('kind', '=', kind).where('id', '=', id).execute();

const COMMANDS: Record<'hide' | 'restore' | 'remove', ItemCommand> = {
  hide: { type: 'RejectItem' },
  restore: { type: 'ShowItem' },
  remove: { type: 'RemoveItem', by: 'admin' },
};

/** How photos and videos are reported, and how admins' decisions apply to them. */
export const moderatedItems = ({ pool, items, wakeSweep }: ModeratedItemsDeps): ModeratedKind[] =>
  ITEM_KINDS.map((kind) => ({
    kind,
    async load(id, reporterId) {
      const item = await kysely(pool)
        .selectFrom('items as i')
        .innerJoin('itemTexts as t', (join) => join.onRef('t.kind', '=', 'i.kind').onRef('t.id', '=', 'i.id'))
        .select(['i.userId as authorId', 't.title'])
        .where('i.kind', '=', kind)
        .where('i.id', '=', Number(id))
        .where('i.status', '=', 'shown')
        .executeTakeFirst();
      if (!item) throw notFound(kind);
      const { authorId, title } = item;
      if (authorId === reporterId) throw new Rejected(`own-${kind}`);
      return { authorId, excerpt: excerptOf(title), path: ITEMS[kind].path, version: 0 };
    },
    async apply({ id, action, decision, adminId, correlationId }) {
      if (action === 'keep') return;
      if (action !== 'remove') await setReason(pool, kind, Number(id), action === 'hide' ? HIDDEN : null);
      await items[kind].handle(id, COMMANDS[action], {
        commandId: `moderate ${kind} ${id} ${decision}`,
        userId: adminId,
        correlationId,
      });
      wakeSweep();
    },
  }));
