import type { Request } from 'express';
import { badField, type HttpProblem } from '../problems.ts';

/**
 * The format of a key on every route, including holds that a gateway forwards: visible ASCII, as in the header's draft.
 */
const KEY = /^[\x21-\x7e]{8,128}$/;

/** The 400 problem, with a field error, for an invalid key. */
export const badKey = (text: 'invalid.key' | 'invalid.key-uuid' | 'invalid.key-of-guest'): HttpProblem =>
  badField('Idempotency-Key', text);

/** Returns the value of an `Idempotency-Key` header, or undefined, unchanged. Throws 400 for an invalid value. */
export function checkedKey(key: string | undefined): string | undefined {
  if (key !== undefined && !KEY.test(key)) throw badKey('invalid.key');
  return key;
}

/**
 * The request's `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), or undefined. Throws 400 for an invalid
 * key.
 */
export const idempotencyKeyOf = (req: Request): string | undefined => checkedKey(req.get('idempotency-key'));
