import type { Pool } from 'pg';
import type { ContentModeratedV1 } from '@beltway/contracts/identity/moderation';
import { Rejected } from '@beltway/event-store';
import type { Photos } from '../photo/stream.ts';
import type { Videos } from '../video/stream.ts';
import { isNewest } from './decisions.ts';

export interface ApplyDeps {
  pool: Pool;
  photos: Photos;
  videos: Videos;
  /** Called when files may have become nobody's. */
  wakeSweep: () => void;
}

/** Said to its uploader, beside the mail that says why. */
const HIDDEN = 'It was reported, and an admin hid it.';

const PHOTO = {
  keep: { type: 'KeepPhoto' },
  hide: { type: 'RejectPhoto' },
  restore: { type: 'VerifyPhoto' },
  remove: { type: 'RemovePhoto', by: 'admin' },
} as const;
const VIDEO = {
  keep: { type: 'KeepVideo' },
  hide: { type: 'RejectVideo' },
  restore: { type: 'ApproveVideo' },
  remove: { type: 'RemoveVideo', by: 'admin' },
} as const;

/** Does with a photo or video what an admin decided; what is so already, or gone, is left alone. */
export async function applyDecision(
  { pool, photos, videos, wakeSweep }: ApplyDeps,
  { data, correlationId }: ContentModeratedV1,
): Promise<void> {
  const { kind, id, action, decision, adminId } = data;
  if ((kind !== 'photo' && kind !== 'video') || !(await isNewest(pool, data))) return;
  // Its words lie beside the log: first, so that a rejection never stands without its reason.
  if (action === 'hide' || action === 'restore')
    await pool.query(`update ${kind}_texts set reason = $2 where ${kind}_id = $1`, [
      ...[Number(id), action === 'hide' ? HIDDEN : null],
    ]);
  const context = { commandId: `moderate ${kind} ${id} ${decision}`, userId: adminId, correlationId };
  const done = kind === 'photo' ? photos.handle(id, PHOTO[action], context) : videos.handle(id, VIDEO[action], context);
  await done.catch((error: unknown) => {
    if (!(error instanceof Rejected)) throw error; // it is gone
  });
  if (action === 'remove') wakeSweep();
}
