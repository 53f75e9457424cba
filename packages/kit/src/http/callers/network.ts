import { isIPv4, isIPv6 } from 'node:net';

/** A network to which an IP address belongs. Its limit is `allowances` times one sender's allowance. */
export interface Network {
  name: string;
  allowances: number;
}

/**
 * IPv6 prefixes that providers assign: a /64 is one household or server; providers assign a /56 to homes and a /48 to
 * sites (RFC 6177). The owner of a larger prefix can use any /64 in it. So the larger prefixes are counted too, with
 * higher limits because several customers of one provider may share them.
 */
const PREFIXES = [
  { bits: 64, allowances: 1 },
  { bits: 56, allowances: 4 },
  { bits: 48, allowances: 16 },
] as const;

/** The networks to which an IP address belongs, narrowest first. An invalid IP address is its own network. */
export function networksOf(address: string): Network[] {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (!isIPv6(plain)) return [{ name: plain, allowances: 1 }];
  const groups = groupsOf(plain);
  // ::ffff:0:0/96 is an IPv4 address on a dual-stack socket (RFC 4291, 2.5.5.2).
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [{ name: [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.'), allowances: 1 }];
  return PREFIXES.map(({ bits, allowances }) => ({ name: prefixOf(groups, bits), allowances }));
}

/** The unit that counts as one sender: an IPv4 address, or a /64 of IPv6. */
export const network = (address: string): string => networksOf(address)[0]!.name;

/**
 * The site of a sender from `network`. For IPv6 it is the /48, because a /48 with its 65,536 /64s is easy to get (RFC
 * 6177). An IPv4 address is its own site. Used to divide a resource among senders, so that a sender with many networks
 * does not get many shares.
 */
export const siteOf = (sender: string): string => networksOf(sender.replace(/\/64$/, '')).at(-1)!.name;

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const left = groupsIn(head);
  const right = groupsIn(tail ?? '');
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

const groupsIn = (text: string): number[] =>
  text
    .split(':')
    .filter(Boolean)
    .flatMap((group) => {
      if (!isIPv4(group)) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });

function prefixOf(groups: number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / 16));
  if (bits % 16 > 0) kept[kept.length - 1]! &= 0xffff << (16 - (bits % 16));
  return `${kept.map((group) => (group & 0xffff).toString(16)).join(':')}::/${bits}`;
}
