import { expect, test } from 'vitest';
import { murmur2, partitionOf } from './partition.ts';

test.each([
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
])("hashes '%s' like the murmur2 test of Kafka", (key, hash) => {
  expect(murmur2(key)).toBe(hash);
});

// The expected values were computed with kafkajs 2.2.4, `Partitioners.DefaultPartitioner`, 12 partitions.
test('assigns a key to the same partition as kafkajs', () => {
  const keys = ['event-1', 'event-2', 'sale-42', 'ticket-0d5c', 'user-7', 'payment-pi_3', 'é', '日本語', 'x'];
  expect(keys.map((key) => partitionOf(key))).toEqual([2, 7, 1, 3, 8, 11, 3, 10, 10]);
});
