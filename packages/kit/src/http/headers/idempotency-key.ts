import type { Request } from 'express';
import { badField, type HttpProblem } from '../problems.ts';

/** One limit for every route, also for a hold that a gateway sends on: visible ASCII, as the header's draft has it. */
const KEY = /^[\x21-\x7e]{8,128}$/;

/** 400 by field for a key that cannot be used; `rule` says what it must be. */
export const badKey = (rule: string): HttpProblem => badField('Idempotency-Key', `Idempotency-Key ${rule}.`);

/** The value of an `Idempotency-Key` header as it came, undefined where none was sent. Throws 400. */
export function checkedKey(key: string | undefined): string | undefined {
  if (key !== undefined && !KEY.test(key)) throw badKey('must be 8 to 128 visible characters');
  return key;
}

/** The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header), if it has one. Throws 400. */
export const idempotencyKeyOf = (req: Request): string | undefined => checkedKey(req.get('idempotency-key'));
