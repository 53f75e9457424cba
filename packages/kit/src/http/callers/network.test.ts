import { expect, test } from 'vitest';
import { network, networksOf, siteOf } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, counted) => expect(network(address)).toBe(counted));

test('an IPv6 address counts for its /64, its /56 and its /48', () =>
  expect(networksOf('2001:db8:1:23ff::1')).toEqual([
    { name: '2001:db8:1:23ff::/64', allowances: 1 },
    { name: '2001:db8:1:2300::/56', allowances: 4 },
    { name: '2001:db8:1::/48', allowances: 16 },
  ]));

test('an IPv4 address counts only for itself, in any notation', () => {
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'])
    expect(networksOf(address)).toEqual([{ name: '203.0.113.7', allowances: 1 }]);
});

test.each([
  ['2001:db8:1:23ff::1', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['203.0.113.7', '203.0.113.7'],
  ['unknown', 'unknown'],
])('the site of the sender of %s is %s', (address, site) => expect(siteOf(network(address))).toBe(site));
