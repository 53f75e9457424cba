import { expect, test } from 'vitest';
import { authenticator, type Authenticator } from '@beltway/kit/auth';
import { instances } from '@beltway/kit/instances';
import { eventually } from '@beltway/kit/testing';
import { INTERNAL_TOKEN, databases, identity, later, register } from './support.ts';

const refused = (auth: Authenticator, token: string) =>
  auth.verify(token).then(
    () => false,
    ({ status }: { status: number }) => status === 401,
  );

test('signing out at one identity instance ends access everywhere, even if another one is gone', async () => {
  const on = await databases();
  const two = [await identity({ on }), await identity({ on })] as const;
  const nobody = 'http://127.0.0.1:2';
  const another = async () => {
    const where = instances({ service: 'identity', urls: [nobody, ...two.map(({ base }) => base)], probeMs: 60_000 });
    later(where.stop);
    const auth = await authenticator({
      identity: where,
      internalToken: INTERNAL_TOKEN,
      bus: two[1].bus,
      log: two[1].log,
    });
    later(() => auth.stop());
    await eventually(() => auth.ready());
    return auth;
  };
  const services = [await another(), await another()];
  for (const [turn, at] of two.entries()) {
    const { token, cookie, user } = await register(at);
    for (const auth of services) expect(await auth.verify(token)).toMatchObject({ id: user.id });
    await two[1 - turn]!.call('POST', '/api/auth/logout', { cookie });
    await eventually(async () => (await Promise.all(services.map((auth) => refused(auth, token)))).every(Boolean));
    const late = await another();
    expect(await refused(late, token)).toBe(true);
  }
});
