import { createHash } from 'node:crypto';

/** 20 bits a password and 14 hashes: of the passwords that are not in the list, one in 15,000 is refused. */
const BITS_EACH = 20;
const HASHES = 14;

/** The form that passwords are compared in: however letters are composed, without case or spaces around. */
export const plainOf = (password: string): string => password.normalize('NFKC').toLowerCase().trim();

/** The bits of a password in a Bloom filter of so many bits (Kirsch and Mitzenmacher: two hashes make all). */
function* bitsOf(plain: string, size: number): Generator<number> {
  const digest = createHash('sha256').update(plain).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUInt32BE(6) | 1];
  for (let index = 0; index < HASHES; index++) yield (first + index * (step >>> 0)) % size;
}

/** A filter that holds these, and little else. */
export function filterOf(plains: readonly string[]): Buffer {
  const filter = Buffer.alloc(Math.ceil((plains.length * BITS_EACH) / 8));
  for (const plain of plains) for (const bit of bitsOf(plain, filter.length * 8)) filter[bit >> 3]! |= 1 << (bit & 7);
  return filter;
}

export function holds(filter: Buffer, plain: string): boolean {
  for (const bit of bitsOf(plain, filter.length * 8)) if (!(filter[bit >> 3]! & (1 << (bit & 7)))) return false;
  return true;
}
