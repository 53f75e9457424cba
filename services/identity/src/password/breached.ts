import { createHash } from 'node:crypto';

/**
 * With 20 bits per password and 14 hashes, the filter wrongly rejects one in 15,000 passwords that are not in the list.
 */
const BITS_EACH = 20;
const HASHES = 14;

/** The form in which passwords are compared: normalized (NFKC), lowercase and trimmed. */
export const plainOf = (password: string): string => password.normalize('NFKC').toLowerCase().trim();

/**
 * The positions of a password in a Bloom filter of `size` bits. All hashes are derived from two (Kirsch and
 * Mitzenmacher).
 */
function* bitsOf(plain: string, size: number): Generator<number> {
  const digest = createHash('sha256').update(plain).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUInt32BE(6) | 1];
  for (let index = 0; index < HASHES; index++) yield (first + index * (step >>> 0)) % size;
}

/** A filter that matches these passwords and few others. */
export function filterOf(plains: readonly string[]): Buffer {
  const filter = Buffer.alloc(Math.ceil((plains.length * BITS_EACH) / 8));
  for (const plain of plains) for (const bit of bitsOf(plain, filter.length * 8)) filter[bit >> 3]! |= 1 << (bit & 7);
  return filter;
}

export function holds(filter: Buffer, plain: string): boolean {
  for (const bit of bitsOf(plain, filter.length * 8)) if (!(filter[bit >> 3]! & (1 << (bit & 7)))) return false;
  return true;
}
