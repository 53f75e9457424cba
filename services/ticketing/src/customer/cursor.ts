import { HttpProblem } from '@beltway/kit/problems';

/** A place in the list, which goes from the newest order to the oldest. */
export interface Place {
  /** When it was held, in microseconds since 1970. */
  heldMicros: string;
  orderId: string;
}

/** Before the newest. PostgreSQL takes so many microseconds, and nobody holds tickets that late. */
export const START: Place = { heldMicros: '99999999999999999', orderId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

const PLACE = /^(\d{1,17}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const toCursor = ({ heldMicros, orderId }: Place): string =>
  Buffer.from(`${heldMicros} ${orderId}`).toString('base64url');

/** Throws 400 `bad-cursor` for what none of our pages said. */
export function readCursor(text: string): Place {
  const [, heldMicros, orderId] = PLACE.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  if (!heldMicros || !orderId)
    throw new HttpProblem(400, 'bad-cursor', '`cursor` must be the `nextCursor` of a page.', {
      errors: [{ field: 'cursor', message: 'must be the `nextCursor` of a page' }],
    });
  return { heldMicros, orderId };
}
