import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import type { SessionRevokedV1 } from '@beltway/contracts/identity/accounts';
import { authenticator } from './auth.ts';
import type { Bus } from '../bus/bus.ts';
import { logger } from '../observe/logger.ts';
import { testIdentity } from '../testing/auth.ts';

afterEach(() => void vi.useRealTimers());

const minutes = (count: number) => count * 60_000;

test('a revoked token is refused for its lifetime, even if this machine’s clock is minutes behind', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const identity = await testIdentity();
  let hear: (message: unknown) => void = () => expect.unreachable();
  const bus = {
    tail: async (_, heard) => {
      hear = heard;
      return { stop: async () => {} };
    },
  } as Partial<Bus> as Bus;
  const auth = await authenticator({
    identity: identity.url,
    internalToken: 'internal-token-of-the-tests-0123456789',
    bus,
    log: logger('test', 'silent'),
  });
  await vi.waitFor(() => expect(auth.ready()).toBe(true), { timeout: 10_000 });

  // Identity's clock is four minutes ahead of this process, so its tokens end nineteen minutes from now.
  const theirs = Date.now() + minutes(4);
  const sid = randomUUID();
  const iat = Math.floor(theirs / 1_000);
  const token = await identity.tokenFor({ id: 7 }, { sid, iat, exp: iat + 900 });
  expect(await auth.verify(token)).toMatchObject({ id: 7 });
  hear({
    id: randomUUID(),
    key: 'user-7',
    type: 'identity.session-revoked',
    version: 1,
    occurredAt: new Date(theirs).toISOString(),
    correlationId: 'c',
    causationId: 'c',
    data: { userId: 7, sessionId: sid },
  } satisfies SessionRevokedV1);
  for (const later of [1, 10, 7]) {
    vi.advanceTimersByTime(minutes(later));
    await expect(auth.verify(token)).rejects.toMatchObject({ status: 401 });
  }
  // The token was not rejected because of its age: another token with the same times is accepted.
  const other = await identity.tokenFor({ id: 8 }, { iat, exp: iat + 900 });
  expect(await auth.verify(other)).toMatchObject({ id: 8 });
  await auth.stop();
  await identity.close();
});
