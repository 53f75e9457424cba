import type { Request } from 'express';
import { HttpProblem } from '@beltway/kit/problems';

/** The `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header), if sent. */
export const idempotencyKey = (req: Request): string | undefined => checkedKey(req.get('idempotency-key'));

export function checkedKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]{8,128}$/.test(key)) throw badKey('must be 8 to 128 visible characters');
  return key;
}

export const badKey = (message: string): HttpProblem =>
  new HttpProblem(400, 'invalid', `Idempotency-Key ${message}.`, { errors: [{ field: 'Idempotency-Key', message }] });
