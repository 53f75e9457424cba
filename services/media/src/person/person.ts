import { MAX_EXPORTED, type PersonPart } from '@beltway/contracts/people';
import { photoUrl } from '@beltway/contracts/pictures';
import type { Queryable } from '@beltway/kit/postgres';
import type { Images } from '../image/images.ts';

const OWN = `select source_hash as "sourceHash", hash, tint, width, height, created_at as "createdAt"
  from images where uploaded_by = $1 order by created_at desc, source_hash limit $2`;

interface Own {
  sourceHash: string;
  hash: string;
  tint: string | null;
  width: number;
  height: number;
  createdAt: Date;
}
const nameOf = ({ hash, tint }: Pick<Own, 'hash' | 'tint'>): string => (tint === null ? hash : `${hash}-${tint}`);

/** Finds the highest number of an account that stands here: identity gives none up to it. */
export const HIGHEST_ACCOUNT = 'select max(uploaded_by) from images';

/** The addresses of the pictures that they uploaded, the newest first. */
export async function personPart(db: Queryable, userId: number): Promise<PersonPart> {
  const { rows } = await db.query<Own>(OWN, [userId, MAX_EXPORTED]);
  return {
    pictures: rows.map(({ width, height, createdAt, ...own }) => ({
      url: photoUrl(nameOf(own)),
      width,
      height,
      createdAt,
    })),
    isComplete: rows.length < MAX_EXPORTED,
  };
}

/** Of one picture after the other first the files, then the row that names them: what ends here in between is done by the next run. */
export async function erasePerson(db: Queryable, images: Pick<Images, 'remove'>, userId: number): Promise<void> {
  for (;;) {
    const { rows } = await db.query<Own>(OWN, [userId, 100]);
    for (const own of rows) {
      // The same picture may have been sent in another form by somebody else.
      const { rowCount: isShared } = await db.query(
        'select from images where hash = $1 and uploaded_by is distinct from $2 limit 1',
        [own.hash, userId],
      );
      if (!isShared) await images.remove(nameOf(own));
      await db.query('delete from images where source_hash = $1 and uploaded_by = $2', [own.sourceHash, userId]);
    }
    if (rows.length < 100) return;
  }
}
