import { expect, test } from 'vitest';
import { Overloaded } from '../errors.ts';
import { isConflict, isTransient, violated } from './faults.ts';

const fault = (more: object, message = 'x') => Object.assign(new Error(message), more);

test.each([
  ['the connection failed', fault({ code: '08006' })],
  ['a serialization failure', fault({ code: '40001' })],
  ['a deadlock', fault({ code: '40P01' })],
  ['too many connections', fault({ code: '53300' })],
  ['the disk is full', fault({ code: '53100' })],
  ['a statement time-out', fault({ code: '57014' })],
  ['the server restarts', fault({ code: '57P01' })],
  ['the server starts', fault({ code: '57P03' })],
  ['an error of the disk', fault({ code: '58030' })],
  ['a lock is not available', fault({ code: '55P03' })],
  ['idle in a transaction for too long', fault({ code: '25P03' })],
  ['a server that has become a replica', fault({ code: '25006' })],
  ['no server', fault({ code: 'ECONNREFUSED' })],
  ['a connection that was reset', fault({ code: 'ECONNRESET' })],
  ['a broken pipe', fault({ code: 'EPIPE' })],
  ['a connection that takes too long', fault({ code: 'ETIMEDOUT' })],
  ['no way to the host', fault({ code: 'EHOSTUNREACH' })],
  ['no way to the network', fault({ code: 'ENETUNREACH' })],
  ['a name server that does not answer', fault({ code: 'EAI_AGAIN' })],
  ['a name that is not known now', fault({ code: 'ENOTFOUND' })],
  ['a connection that ended', fault({}, 'Connection terminated unexpectedly')],
  ['a pool that gives no connection', fault({}, 'timeout exceeded when trying to connect')],
  ['a query without an answer', fault({}, 'Query read timeout')],
  ['a broken client', fault({}, 'Client has encountered a connection error and is not queryable')],
  ['more work than may wait', new Overloaded()],
  ['an error marked as transient', fault({ transient: true })],
])('transient: %s', (_what, error) => expect(isTransient(error)).toBe(true));

test.each([
  ['a bug', new TypeError('x is not a function')],
  ['a unique constraint', fault({ code: '23505' })],
  ['a syntax error', fault({ code: '42601' })],
  ['no such table', fault({ code: '42P01' })],
  ['a file that is not there', fault({ code: 'ENOENT' })],
  ['a code that only begins like one', fault({ code: '0800' })],
  ['no code', fault({ code: undefined })],
  ['an error marked as not transient', fault({ transient: false })],
  ['no error', { code: '57P01' }],
  ['nothing', undefined],
])('not transient: %s', (_what, error) => expect(isTransient(error)).toBe(false));

test('a violated constraint is named, and a violated fence is a conflict of writers', () => {
  expect(violated(fault({ code: '23505', constraint: 'events_command' }))).toBe('events_command');
  expect(violated(fault({ code: '23503', constraint: 'events_command' }))).toBeUndefined();
  expect(isConflict(fault({ code: '23505', constraint: 'events_fence' }))).toBe(true);
  expect(isConflict(fault({ code: '23505', constraint: 'events_command' }))).toBe(false);
});

test('an error without a constraint is not a violation', () => {
  expect(violated(fault({ code: '23505' }))).toBeUndefined();
  for (const error of [undefined, 'broken', { code: '23505', constraint: 'events_fence' }])
    expect(violated(error)).toBeUndefined();
});
