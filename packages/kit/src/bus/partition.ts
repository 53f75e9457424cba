import { PARTITIONS } from './bus.ts';

/**
 * The partition of a key: murmur2 as in Kafka's clients and kafkajs' default partitioner, so that a key has the same
 * partition number in both adapters.
 */
export const partitionOf = (key: string, partitions = PARTITIONS): number => (murmur2(key) & 0x7fffffff) % partitions;

/** Returns a signed 32-bit number. */
export function murmur2(key: string): number {
  const data = Buffer.from(key);
  const mix = 0x5bd1e995;
  const words = data.length >> 2;
  let hash = 0x9747b28c ^ data.length;

  for (let word = 0; word < words; word++) {
    let k = Math.imul(data.readInt32LE(word * 4), mix);
    k = Math.imul(k ^ (k >>> 24), mix);
    hash = Math.imul(hash, mix) ^ k;
  }
  const rest = data.subarray(words * 4);
  if (rest.length > 0) {
    for (const [index, byte] of rest.entries()) hash ^= byte << (index * 8);
    hash = Math.imul(hash, mix);
  }
  hash = Math.imul(hash ^ (hash >>> 13), mix);
  return hash ^ (hash >>> 15);
}
