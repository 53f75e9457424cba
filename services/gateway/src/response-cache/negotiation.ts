import type { IncomingHttpHeaders } from 'node:http';
import type { Coding, Representations } from './representations.ts';

/** Codings, best first. */
const CODINGS = ['br', 'gzip'] as const;
/** Maximum cached values of `Accept-Encoding`. Browsers send only a few different values. */
const MAX_KNOWN = 100;
const MAX_LENGTH = 128;
const known = new Map<string, ReadonlySet<Coding>>();

/** The codings that an `Accept-Encoding` allows (RFC 9110, 12.5.3), except `identity`. */
function acceptedBy(header: string): ReadonlySet<Coding> {
  const before = known.get(header);
  if (before) return before;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight));
  }
  const accepted = new Set(CODINGS.filter((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0));
  if (header.length <= MAX_LENGTH && known.size < MAX_KNOWN) known.set(header, accepted);
  return accepted;
}

/** The coding to send: the best available one that the client accepts. */
export function codingFor({ 'accept-encoding': header }: IncomingHttpHeaders, { codings }: Representations): Coding {
  if (header === undefined || codings.length === 1) return 'identity';
  const accepted = acceptedBy(String(header));
  return codings.find((coding) => accepted.has(coding)) ?? 'identity';
}

const ANY_TAG = /(W\/)?("[^"]*")/g;

/**
 * The result of a conditional GET or HEAD, from its `If-Match` and `If-None-Match` (RFC 9110, 13.2.2): 412; 304 with
 * the client's entity tag; or undefined for the full answer. Entity tags of all codings match: a client that has one
 * coding of a version has that version.
 */
export function preconditions(
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  answer: Representations,
  coding: Coding,
): 412 | { unchanged: Coding } | undefined {
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  const codingOf = (tag: string): Coding | undefined => answer.codings.find((one) => answer.etagOf(one) === tag);
  if (ifMatch !== undefined && ifMatch.trim() !== '*') {
    const strong = [...ifMatch.matchAll(ANY_TAG)].filter(([, weak]) => !weak);
    if (!strong.some(([, , tag]) => codingOf(tag!))) return 412;
  }
  if (ifNoneMatch === undefined) return undefined;
  if (ifNoneMatch === answer.etagOf(coding) || ifNoneMatch.trim() === '*') return { unchanged: coding };
  for (const [, , tag] of ifNoneMatch.matchAll(ANY_TAG)) {
    const unchanged = codingOf(tag!);
    if (unchanged) return { unchanged };
  }
  return undefined;
}
