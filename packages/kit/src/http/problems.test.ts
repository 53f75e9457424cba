import { expect, test } from 'vitest';
import { z } from 'zod';
import { CommandReused, Overloaded, Rejected } from '@beltway/event-store';
import type { Request, Response } from 'express';
import type { Logger } from '../observe/logger.ts';
import { HttpProblem, arriving, asProblem, problemText, problems, unavailable } from './problems.ts';

const problemFor = (error: unknown) => {
  const { status, code, message, errors, retryAfter } = asProblem(error);
  return { status, code, message, errors, retryAfter };
};

test('a refused command is 409 with its own code', () =>
  expect(problemFor(new Rejected('sold-out', 'Sold out.'))).toMatchObject({
    status: 409,
    code: 'sold-out',
    message: 'Sold out.',
  }));
test('a repeated key with another body is 422', () =>
  expect(problemFor(new CommandReused())).toMatchObject({ status: 422, code: 'idempotency-key-reused' }));
test('overload is an immediate 503 with Retry-After', () =>
  expect(problemFor(new Overloaded())).toMatchObject({ status: 503, retryAfter: 1 }));
test('a transient error is 503', () =>
  expect(problemFor(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toMatchObject({
    status: 503,
    code: 'unavailable',
    retryAfter: 2,
  }));
test('invalid input reports each wrong field', () => {
  const { error } = z.strictObject({ quantity: z.int() }).safeParse({ quantity: 'x', price: 1 });
  expect(problemFor(error)).toMatchObject({ status: 400, code: 'invalid' });
  expect(
    asProblem(error)
      .errors?.map(({ field }) => field)
      .sort(),
  ).toEqual(['price', 'quantity']);
});
test('unknown keys are one entry, which names a few of them', () => {
  const tellOf = (keys: string[]) =>
    asProblem(z.strictObject({}).safeParse(Object.fromEntries(keys.map((key) => [key, 1]))).error).errors;
  expect(tellOf(['price'])).toEqual([
    { field: 'price', message: 'is not accepted here', text: 'invalid.not-accepted' },
  ]);
  expect(tellOf(['price', 'amount'])).toEqual([
    {
      ...{ field: 'price', message: 'is not accepted here, nor are amount' },
      ...{ text: 'invalid.not-accepted-either', params: { others: 'amount' } },
    },
  ]);
  expect(tellOf(Array.from({ length: 1_000 }, (_, n) => `k${n}`))).toEqual([
    {
      ...{ field: 'k0', message: 'is not accepted here, nor are k1, k2, 997 more' },
      ...{ text: 'invalid.not-accepted-either', params: { others: 'k1, k2, 997 more' } },
    },
  ]);
});
test('however invalid a body is, the response is valid text of a few kilobytes', () => {
  const schema = z.object({ tags: z.array(z.string().max(1)) }).strict();
  const long = '\ud83d'.repeat(30_000);
  for (const body of [
    { tags: Array.from({ length: 1_000 }, () => 'long') },
    { tags: [], [long]: 1, [`${long}2`]: 1, [`${long}3`]: 1 },
    { tags: [], ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n}`.repeat(100), 1])) },
  ]) {
    const text = problemText(asProblem(schema.safeParse(body).error));
    expect(Buffer.byteLength(text)).toBeLessThan(8_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/\\ud83d/);
  }
  expect(asProblem(schema.safeParse({ tags: Array(1_000).fill('long') }).error).errors).toHaveLength(20);
});
test('an unexpected error reveals nothing', () => {
  const { status, message } = problemFor(new Error('select * from users where password = ...'));
  expect([status, message]).toEqual([500, 'Something went wrong on our end. Please try again.']);
});
test('an HttpProblem stays unchanged', () => {
  const problem = HttpProblem.received(418, { code: 'teapot', detail: 'short and stout' });
  expect(asProblem(problem)).toBe(problem);
});

test('an unexpected error is logged as error, a missing dependency as warning, a message in transit as neither', () => {
  const logged: string[] = [];
  const log = Object.fromEntries(
    ['debug', 'warn', 'error'].map((level) => [level, () => logged.push(level)]),
  ) as unknown as Logger;
  const answer = new Proxy(
    {},
    { get: (_, name) => (name === 'locals' ? {} : name === 'headersSent' ? false : () => answer) },
  );
  for (const error of [arriving('event-new'), unavailable('part-away'), new TypeError('not a function')])
    problems(log)(error, {} as Request, answer as Response, () => undefined);
  expect(logged).toEqual(['debug', 'warn', 'error']);
});
