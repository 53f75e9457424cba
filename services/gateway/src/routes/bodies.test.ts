import { expect, test } from 'vitest';
import { z } from 'zod';
import { asProblem } from '@beltway/kit/problems';
import { publicRoutes } from './table.ts';

type Inner = Record<'innerType' | 'in' | 'out' | 'element', z.ZodType | undefined> & { options?: z.ZodType[] };

/** Every object within a body, with the path to it. */
function objectsIn(schema: z.ZodType, path: string): Array<[path: string, object: z.ZodObject]> {
  const { innerType, in: input, out: output, element, options = [] } = schema._zod.def as unknown as Inner;
  const deeper = [innerType, input, output, element, ...options].flatMap((inner) =>
    inner ? objectsIn(inner, path) : [],
  );
  if (!(schema instanceof z.ZodObject)) return deeper;
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  return [[path, schema], ...fields.flatMap(([field, inner]) => objectsIn(inner, `${path} ${field}`))];
}

const bodies = publicRoutes.flatMap(({ method, path, body }) =>
  body ? objectsIn(body, `${method.toUpperCase()} ${path}`) : [],
);

/** Objects that a browser or the card provider creates. They may have more fields than we read. */
const NOT_OURS = [/^POST \S+passkeys? credential( response)?$/, /^POST \/api\/stripe\/webhook$/];

test('every body refuses fields that it does not know', () => {
  const refuses = ({ def }: z.ZodObject) => def.catchall instanceof z.ZodNever;
  const loose = bodies.filter(([, object]) => !refuses(object)).map(([path]) => path);
  expect(loose.filter((path) => !NOT_OURS.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(bodies.length).toBeGreaterThan(70);
});

/** A null deadline is a value: it means that buyers may never cancel. */
const NULL_IS_A_VALUE = ['POST /api/events refundDeadlineHours'];

test('null and empty text count as leaving out an optional field', () => {
  const optional = bodies
    .filter(([path]) => !path.startsWith('PATCH'))
    .flatMap(([path, { shape }]) =>
      Object.entries(shape as Record<string, z.ZodType>)
        .map(([name, field]) => [`${path} ${name}`, field] as const)
        .filter(([name, field]) => field.safeParse(undefined).success && !NULL_IS_A_VALUE.includes(name)),
    );
  expect(optional.length).toBeGreaterThan(40);
  for (const [name, field] of optional)
    for (const blank of [null, '', ' '])
      expect.soft(field.safeParse(blank), `${name}: ${JSON.stringify(blank)}`).toEqual(field.safeParse(undefined));
});

/** Values that no field accepts, and some values that only a few fields accept. */
const WRONG = [undefined, null, 7.5, -1, 'x', true, [], {}, [{}], ['x'], 'x'.repeat(100_000)];
/** Default messages of the validator, which should not appear in place of our own. */
const RAW = /^Invalid|received|^Too (big|small)|^Unrecognized|nonoptional|undefined|NaN/;

/** The errors for refused bodies. */
function refusals(schema: z.ZodType): Array<{ field: string; message: string }> {
  const fields = objectsIn(schema, '').flatMap(([, { shape }]) => Object.keys(shape as object));
  const tried: unknown[] = [...WRONG, ...fields.flatMap((name) => WRONG.map((value) => ({ [name]: value })))];
  // Sets all fields together, because some fields are checked only when other fields are present.
  for (const value of WRONG) tried.push(Object.fromEntries(fields.map((name) => [name, value])));
  return tried.flatMap((body) => {
    const { error } = schema.safeParse(body);
    return error ? (asProblem(error).errors ?? []) : [];
  });
}

test.each(
  publicRoutes.filter(({ body }) => body).map(({ method, path, body }) => [`${method} ${path}`, body!] as const),
)('what is wrong with a body names the field and what is expected, in words of ours: %s', (_route, body) => {
  const all = refusals(body);
  expect(all.length).toBeGreaterThan(0);
  const raw = all.filter(({ message }) => message === '' || RAW.test(message));
  expect([...new Set(raw.map(({ field, message }) => `${field}: ${message}`))]).toEqual([]);
});
