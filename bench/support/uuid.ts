import { randomBytes } from 'node:crypto';

const POOL = 16 * 4_096;
let pool = Buffer.alloc(0);

/** A version 7 UUID. It begins with the time, so an index over such UUIDs grows at its end. */
export function uuidV7(): string {
  if (pool.length < 16) pool = randomBytes(POOL);
  const bytes = pool.subarray(0, 16);
  pool = pool.subarray(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
