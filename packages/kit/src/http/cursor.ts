import { z } from 'zod';
import { HttpProblem, fieldError } from './problems.ts';

/** A time in microseconds since 1970, which is PostgreSQL's precision. PostgreSQL accepts every value. */
export const Micros = z.string().regex(/^\d{1,17}$/);

/** SQL that converts a time to `Micros`. */
export const toMicros = (moment: string): string => `(extract(epoch from ${moment}) * 1000000)::bigint::text`;

/** SQL that converts a parameter (`$4`) from `Micros` to a time. */
export const fromMicros = (parameter: string): string =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`;

/** Text that PostgreSQL accepts. */
export const PlainText = z
  .string()
  .max(300)
  .regex(/^[^\0]*$/);

/** Encodes the start of the next page as opaque text. `place` is the sort key of the last row shown. */
export const cursorOf = (place: ReadonlyArray<string | number>): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/**
 * Parses a cursor. Throws 400 `bad-cursor` for any other text. The error contains `names`: the request's parameter, and
 * the field of the previous page that contains valid values.
 */
export function readCursor<Place>(
  text: string,
  place: z.ZodType<Place>,
  [parameter, field]: [parameter: string, field: string] = ['cursor', 'nextCursor'],
): Place {
  try {
    const read = place.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (read.success) return read.data;
  } catch {
    // Text that is not JSON is rejected below.
  }
  throw new HttpProblem(400, 'bad-cursor', {
    params: { parameter, field },
    errors: [fieldError(parameter, 'invalid.cursor-of-page', { field })],
  });
}
