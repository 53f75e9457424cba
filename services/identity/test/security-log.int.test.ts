import { expect, test } from 'vitest';
import { pino } from 'pino';
import { openSecurityLog, pseudonym } from '@beltway/kit/security-log';
import { INTERNAL_TOKEN, PASSWORD, identity, movableClock, register } from './support.ts';

/** The lines added to the security log since the last call. */
function securityLines() {
  const lines: Array<Record<string, unknown>> = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  openSecurityLog({ service: 'identity', secret: [INTERNAL_TOKEN], days: 90, log });
  return () => lines.splice(0).map(({ what, outcome, account, code }) => ({ what, outcome, account, code }));
}

const of = (account: number | string) => pseudonym([INTERNAL_TOKEN], account);

test('sign-ins are logged with outcome, proof, and the account or the typed email address', async () => {
  const told = securityLines();
  const service = await identity();
  const { user, email, cookie } = await register(service);
  const login = (password: string) => service.call('POST', '/api/auth/login', { body: { email, password } });
  await login('not the password');
  await login(PASSWORD);
  await service.call('POST', '/api/auth/logout', { cookie });
  const account = of(user.id);
  expect(told()).toEqual([
    { what: 'sign-in', outcome: 'done', account, code: 'password' },
    { what: 'refused', outcome: 'refused', account: of(email), code: 'wrong-credentials' },
    { what: 'sign-in', outcome: 'done', account, code: 'password' },
    { what: 'sign-out', outcome: 'done', account, code: undefined },
  ]);
});

test('the log has old refresh tokens that were used, wrong passwords of signed-in users, and forbidden calls', async () => {
  const told = securityLines();
  const { clock, pass } = movableClock();
  const service = await identity({ clock });
  const { user, cookie } = await register(service);
  const renewed = await service.call('POST', '/api/auth/refresh', { cookie });
  const { token } = renewed.json;
  told();
  await service.call('GET', '/api/users/1000', { token });
  await service.call('DELETE', '/api/users/me', { token, body: { password: 'not the password' } });
  const body = { password: 'not the password', newPassword: 'another long password' };
  await service.call('POST', '/api/auth/change-password', { token, body });
  pass(20);
  await service.call('POST', '/api/auth/refresh', { cookie });
  const account = of(user.id);
  expect(told()).toMatchObject([
    { what: 'refused', code: 'forbidden', account },
    { what: 'wrong-password', outcome: 'refused', account },
    { what: 'wrong-password', outcome: 'refused', account },
    { what: 'old-refresh-token', outcome: 'refused', account },
    { what: 'refused', code: 'unauthenticated' },
  ]);
});
