import type { Projection } from '@beltway/event-store';
import { fieldsOf, writerTo } from '@beltway/kit/columns';
import { deleteUnnamed, pictureDeletions, videoDeletions } from '../files/kept-files.ts';
import { items } from '../generated/tables.ts';
import type { ItemEvent } from './events.ts';
import { ITEMS, type ItemKind } from './kinds.ts';

const UPLOADED = items.insert(fieldsOf(items.columns));
const SHOWN = items.update(['kind', 'id'], ['status']);
const REJECTED = items.update(['kind', 'id'], ['status', 'isFeatured']);
const FEATURED = items.update(['kind', 'id'], ['isFeatured']);
/**
 * Deletes an item's row, texts and likes, and queues the deletion of its files. The log still contains that the item
 * existed and who owned it. Plain SQL, because the first two statements also queue jobs. Idempotent.
 */
const REMOVED = [
  deleteUnnamed(pictureDeletions, 'select picture from items where kind = $1 and id = $2'),
  deleteUnnamed(videoDeletions, 'select file from items where kind = $1 and id = $2 and file is not null'),
  ...['items', 'item_texts', 'item_likes', 'item_like_counts'].map(
    (name) => `delete from ${name} where kind = $1 and id = $2`,
  ),
];
/** Deletes the views, and frees the right to the clip. */
const REMOVED_VIDEO = ['video_view_counts', 'video_visitors', 'clip_uses'].map(
  (name) => `delete from ${name} where video_id = $1`,
);

/** Writes the current photos and videos, with one or two statements for each event, because an item has few events. */
export const projectItems =
  (kind: ItemKind): Projection<ItemEvent> =>
  (sql, group) => {
    const write = writerTo(sql);
    for (const { type, data, id: name, occurredAt } of group) {
      const id = Number(name);
      switch (type) {
        case 'ItemUploaded': {
          const { uploaderId: userId, picture } = data;
          const none = { eventId: null, width: null, height: null, category: null, file: null, promotionId: null };
          const status = ITEMS[kind].needsLook ? 'pending' : 'shown';
          const row = {
            ...none,
            ...data,
            kind,
            id,
            userId,
            status,
            picture,
            isFeatured: false,
            uploadedAt: occurredAt,
          };
          write(UPLOADED, row);
          break;
        }
        case 'ItemShown':
          write(SHOWN, { kind, id, status: 'shown' });
          break;
        case 'ItemRejected':
          write(REJECTED, { kind, id, status: 'rejected', isFeatured: false });
          break;
        case 'ItemFeatured':
        case 'ItemUnfeatured':
          write(FEATURED, { kind, id, isFeatured: type === 'ItemFeatured' });
          break;
        case 'ItemRemoved':
          for (const text of REMOVED) sql.query(text, [kind, id]);
          if (kind === 'video') for (const text of REMOVED_VIDEO) sql.query(text, [id]);
          break;
      }
    }
  };
