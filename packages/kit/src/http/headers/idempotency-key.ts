import type { Request } from 'express';
import { badField, type HttpProblem } from '../problems.ts';

/** One limit for every route, also for a hold that a gateway sends on: visible ASCII, as the header's draft has it. */
const KEY = /^[\x21-\x7e]{8,128}$/;

/** 400 by field for a key that cannot be used. */
export const badKey = (text: 'invalid.key' | 'invalid.key-uuid' | 'invalid.key-of-guest'): HttpProblem =>
  badField('Idempotency-Key', text);

/** The value of an `Idempotency-Key` header as it came, undefined where none was sent. Throws 400. */
export function checkedKey(key: string | undefined): string | undefined {
  if (key !== undefined && !KEY.test(key)) throw badKey('invalid.key');
  return key;
}

/** The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header), if it has one. Throws 400. */
export const idempotencyKeyOf = (req: Request): string | undefined => checkedKey(req.get('idempotency-key'));
