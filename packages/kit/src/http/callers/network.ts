import { isIPv4, isIPv6 } from 'node:net';

/** A network that an address counts for, and how many times the allowance of one sender it has. */
export interface Network {
  name: string;
  allowances: number;
}

/**
 * Prefixes of IPv6 that are handed out: a /64 is one household or server, providers give homes a /56 and sites a /48 (RFC 6177). Whoever has
 * one of the larger may use any /64 in it, so those are counted too, with room for several neighbors behind one provider.
 */
const PREFIXES = [
  { bits: 64, allowances: 1 },
  { bits: 56, allowances: 4 },
  { bits: 48, allowances: 16 },
] as const;

/** The networks that an address counts for, narrowest first. What is no address counts as it is. */
export function networksOf(address: string): Network[] {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  if (!isIPv6(plain)) return [{ name: plain, allowances: 1 }];
  const groups = groupsOf(plain);
  // ::ffff:0:0/96 is IPv4, as a socket of both families sees it (RFC 4291, 2.5.5.2).
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [{ name: [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.'), allowances: 1 }];
  return PREFIXES.map(({ bits, allowances }) => ({ name: prefixOf(groups, bits), allowances }));
}

/** Who counts as one sender: an IPv4 address, or a /64 of IPv6. */
export const network = (address: string): string => networksOf(address)[0]!.name;

/**
 * The site of a sender as `network` names it: the /48 of IPv6, of which anybody gets one, with its 65,536 /64s (RFC 6177); an IPv4
 * address is its own. For what is divided among senders: who has many must not get many parts.
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
