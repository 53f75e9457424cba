import { expect, test } from 'vitest';
import { HttpProblem } from '../http/problems.ts';
import { isTransient, tookTooLong } from './transient.ts';

const fault = (more: object, message = 'x') => Object.assign(new Error(message), more);

test.each([
  ['no connection', fault({ code: 'ECONNREFUSED' })],
  ['a fault marked as transient', fault({ transient: true })],
  ['one of several', new AggregateError([new Error('a bug'), fault({ code: 'ECONNREFUSED' })])],
  ['a service that fetch cannot reach', new TypeError('fetch failed', { cause: fault({ code: 'ECONNREFUSED' }) })],
  ['a call that was given up', AbortSignal.abort().reason],
  ['a call that took too long', new DOMException('x', 'TimeoutError')],
  ['an answer of undici that never began', fault({ code: 'UND_ERR_HEADERS_TIMEOUT' })],
  ['a connection that undici lost', fault({ code: 'UND_ERR_SOCKET' })],
  ['the server restarts', fault({ code: '57P01' })],
  ['a deadlock', fault({ code: '40P01' })],
  ['a pool that gives no connection', fault({}, 'timeout exceeded when trying to connect')],
  ['a fault under another', new Error('x', { cause: fault({ code: '53300' }) })],
  ['Prisma cannot reach the server', fault({ code: 'P1001', meta: { modelName: 'Payment' } })],
  // Errors as Prisma 7 with adapter-pg throws them, observed during a statement timeout and a restart.
  [
    'Prisma ran into a time-out',
    fault({ code: 'P2039', meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '57014' } } } }),
  ],
  [
    'Prisma lost its connection',
    fault({ code: 'P2039', meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '57P01' } } } }),
  ],
])('transient: %s', (_what, error) => expect(isTransient(error)).toBe(true));

test.each([
  ['a bug', new TypeError('x is not a function')],
  ['a unique constraint', fault({ code: '23505' })],
  [
    'a unique constraint by Prisma',
    fault({ code: 'P2002', meta: { driverAdapterError: { cause: { originalCode: '23505' } } } }),
  ],
  ['a service that refuses', new HttpProblem(409, 'sold-out')],
  ['a bug behind another', new Error('x', { cause: new TypeError('x is not a function') })],
  ['no row by Prisma', fault({ code: 'P2025', meta: undefined })],
  ['nothing at all', undefined],
])('not transient: %s', (_what, error) => expect(isTransient(error)).toBe(false));

test('a statement canceled by its timeout is recognized, from any client', () => {
  const behind = { driverAdapterError: { cause: { kind: 'postgres', originalCode: '57014' } } };
  expect(tookTooLong(fault({ code: '57014' }))).toBe(true);
  expect(tookTooLong(fault({ code: 'P2039', meta: behind }))).toBe(true);
  expect(tookTooLong(new Error('x', { cause: fault({ code: '57014' }) }))).toBe(true);
  expect(tookTooLong(fault({ code: '57P01' }))).toBe(false);
  expect(tookTooLong(undefined)).toBe(false);
});
