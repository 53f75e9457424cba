import { expect, test } from 'vitest';
import { faultCode, isTransientCall, wasCutOff, wasNotReached, wasTooLate } from './connection-faults.ts';

const kinds = (code: string) => [wasNotReached(code), wasCutOff(code), wasTooLate(code)];

test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])(
  '%s: no connection was established',
  (code) => expect(kinds(code)).toEqual([true, false, false]),
);
test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])(
  '%s: the connection ended early',
  (code) => expect(kinds(code)).toEqual([false, true, false]),
);
test.each(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])('%s: no data for too long', (code) =>
  expect(kinds(code)).toEqual([false, false, true]),
);

test('a reset during connecting counts as not reached, a later reset as cut off', () => {
  const fault = (more: object) => kinds(faultCode(Object.assign(new Error('x'), { code: 'ECONNRESET' }, more)));
  expect(fault({ syscall: 'connect' })).toEqual([true, false, false]);
  expect(fault({ syscall: 'read' })).toEqual([false, true, false]);
  expect([faultCode(new Error('x')), faultCode(undefined)]).toEqual(['', '']);
});

test.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'UND_ERR_INFO'].map((code) => ({ code })),
  { name: 'AbortError' },
  { name: 'TimeoutError' },
  { message: 'fetch failed' },
])('a call may succeed later after %o', (more) => {
  expect(isTransientCall(Object.assign(new Error('x'), more))).toBe(true);
});

test.each(['HPE_INVALID_CONSTANT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED', ''])(
  '%j: neither, and no reason to call again',
  (code) => {
    expect(kinds(code)).toEqual([false, false, false]);
    expect(isTransientCall(Object.assign(new Error('x'), { code }))).toBe(false);
  },
);
