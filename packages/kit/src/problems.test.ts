import { expect, test } from 'vitest';
import { z } from 'zod';
import { CommandReused, Overloaded, Rejected } from '@beltway/event-store';
import { HttpProblem, asProblem } from './problems.ts';

const told = (error: unknown) => {
  const { status, code, message, errors, retryAfter } = asProblem(error);
  return { status, code, message, errors, retryAfter };
};

test('a refused wish is 409 with its own code', () =>
  expect(told(new Rejected('sold-out', 'Sold out.'))).toMatchObject({
    status: 409,
    code: 'sold-out',
    message: 'Sold out.',
  }));
test('a key used for another body is 422', () =>
  expect(told(new CommandReused())).toMatchObject({ status: 422, code: 'idempotency-key-reused' }));
test('too many at once is 503, at once, and says when to come back', () =>
  expect(told(new Overloaded())).toMatchObject({ status: 503, retryAfter: 1 }));
test('a fault that passes is 503', () =>
  expect(told(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).toMatchObject({
    status: 503,
    code: 'unavailable',
    retryAfter: 2,
  }));
test('bad input names each wrong field', () => {
  const { error } = z.strictObject({ quantity: z.int() }).safeParse({ quantity: 'x', price: 1 });
  expect(told(error)).toMatchObject({ status: 400, code: 'invalid' });
  expect(
    asProblem(error)
      .errors?.map(({ field }) => field)
      .sort(),
  ).toEqual(['price', 'quantity']);
});
test('what nobody expected says nothing of itself', () => {
  const { status, message } = told(new Error('select * from users where password = ...'));
  expect([status, message]).toEqual([500, 'Something went wrong on our side. Please try again.']);
});
test('a problem stays what it is', () => {
  const problem = new HttpProblem(418, 'teapot', 'short and stout');
  expect(asProblem(problem)).toBe(problem);
});
