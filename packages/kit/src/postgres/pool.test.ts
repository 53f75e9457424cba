import { expect, test } from 'vitest';
import { isTransient } from './pool.ts';

const fault = (more: object, message = 'x') => Object.assign(new Error(message), more);

test.each([
  ['no connection', fault({ code: 'ECONNREFUSED' })],
  ['the server restarts', fault({ code: '57P01' })],
  ['a deadlock', fault({ code: '40P01' })],
  ['a pool that gives no connection', fault({}, 'timeout exceeded when trying to connect')],
  ['a fault under another', new Error('x', { cause: fault({ code: '53300' }) })],
  ['Prisma cannot reach the server', fault({ code: 'P1001', meta: { modelName: 'Payment' } })],
  // As Prisma 7 with adapter-pg throws them: seen on a statement time-out and on a restart.
  [
    'Prisma ran into a time-out',
    fault({ code: 'P2039', meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '57014' } } } }),
  ],
  [
    'Prisma lost its connection',
    fault({ code: 'P2039', meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '57P01' } } } }),
  ],
])('passes by itself: %s', (_what, error) => expect(isTransient(error)).toBe(true));

test.each([
  ['a bug', new TypeError('x is not a function')],
  ['a unique constraint', fault({ code: '23505' })],
  [
    'a unique constraint by Prisma',
    fault({ code: 'P2002', meta: { driverAdapterError: { cause: { originalCode: '23505' } } } }),
  ],
  ['no row by Prisma', fault({ code: 'P2025', meta: undefined })],
  ['nothing at all', undefined],
])('does not: %s', (_what, error) => expect(isTransient(error)).toBe(false));
