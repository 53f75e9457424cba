import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { kysely } from '../db.ts';

/** Signs what stands in addresses of streams and recordings: who has one may open it, and nobody can make one up. */
export interface Signing {
  /** 22 characters that only this database's services can make of these words. */
  sign(purpose: string, ...words: string[]): string;
  isSigned(signature: string, purpose: string, ...words: string[]): boolean;
  /** The same for the same text, and says nothing of it: for what is compared only. */
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
