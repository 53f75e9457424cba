import { expect, test } from 'vitest';
import { bearerToken } from './bearer.ts';

test.each([
  ['Bearer aa.bb.cc', 'aa.bb.cc'],
  ['bearer aa-_.bb.c', 'aa-_.bb.c'],
  ['Bearer aa.bb.', 'aa.bb.'], // without a signature; the verifier rejects it
  [undefined, undefined],
  ['', undefined],
  ['Bearer', undefined],
  ['Bearer aa.bb', undefined],
  ['Bearer  aa.bb.cc', undefined],
  ['Bearer aa.bb.cc dd', undefined],
  ['Bearer aa.b=b.cc', undefined],
  ['Basic aa.bb.cc', undefined],
])('of %j the token is %j', (authorization, token) => expect(bearerToken(authorization)).toBe(token));
