import { expect, test } from 'vitest';
import { addressLimits, network } from './addresses.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, counted) => expect(network(address)).toBe(counted));

test('an address may register sixty times in ten minutes, others still may', async () => {
  const limit = addressLimits(true);
  for (let i = 0; i < 60; i++) await limit('register', '203.0.113.7');
  await expect(limit('register', '203.0.113.7')).rejects.toMatchObject({ status: 429, code: 'too-many-requests' });
  await limit('register', '203.0.113.8');
  await limit('login', '203.0.113.7');
});

test('limits that are off limit nobody', async () => {
  const limit = addressLimits(false);
  for (let i = 0; i < 600; i++) await limit('login', '203.0.113.7');
});
