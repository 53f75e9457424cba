import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';

/** Signs the URLs of streams and recordings, so that no one can forge them. */
export interface Signing {
  /** A signature of these words, 22 characters long. Only services with this database's secret can compute it. */
  sign(purpose: string, ...words: string[]): string;
  isSigned(signature: string, purpose: string, ...words: string[]): boolean;
  /** A digest of a text, for comparison only. The digest does not reveal the text. */
  digest(text: string): string;
}

export async function openSigning(pool: Pool): Promise<Signing> {
  const keys = kysely(pool);
  await keys
    .insertInto('broadcastKeys')
    .values({ id: 1, key: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { key } = await keys.selectFrom('broadcastKeys').select('key').executeTakeFirstOrThrow();
  const sign: Signing['sign'] = (...words) =>
    createHmac('sha256', key).update(words.join('\0')).digest().subarray(0, 16).toString('base64url');
  return {
    sign,
    isSigned(signature, ...words) {
      const [given, right] = [Buffer.from(signature), Buffer.from(sign(...words))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
    digest: (text) => createHmac('sha256', key).update(`digest\0${text}`).digest('base64url'),
  };
}
