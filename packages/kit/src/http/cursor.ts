import { z } from 'zod';
import { HttpProblem, fieldError } from './problems.ts';

/** A moment in microseconds since 1970: as exact as PostgreSQL's, which takes every one of these. */
export const Micros = z.string().regex(/^\d{1,17}$/);

/** SQL of a moment as `Micros`. */
export const toMicros = (moment: string): string => `(extract(epoch from ${moment}) * 1000000)::bigint::text`;

/** SQL of the moment that a parameter (`$4`) names as `Micros`. */
export const fromMicros = (parameter: string): string =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`;

/** A text that PostgreSQL takes. */
export const PlainText = z
  .string()
  .max(300)
  .regex(/^[^\0]*$/);

/** Says as an opaque text where the next page begins: what the order of the pages goes by, of the last row shown. */
export const cursorOf = (place: ReadonlyArray<string | number>): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

/**
 * What `cursorOf` wrote. Throws 400 `bad-cursor` for every other text. `names`: the parameter that it came in, and the field of a page that
 * it has to be of.
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
    // No JSON: answered below.
  }
  throw new HttpProblem(400, 'bad-cursor', {
    params: { parameter, field },
    errors: [fieldError(parameter, 'invalid.cursor-of-page', { field })],
  });
}
