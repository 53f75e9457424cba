import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => {
  sessionStorage.clear();
  sessionStore.set(sessionFixture({ role: 'business' }));
});
afterEach(() => vi.restoreAllMocks());

const OFF = { isOn: false, mayTurnOn: true, since: null, recoveryCodesLeft: 0 };
const ON = { isOn: true, mayTurnOn: true, since: '2030-07-01T12:00:00.000Z', recoveryCodesLeft: 10 };
const SETUP = {
  secret: 'ABCDEFGH',
  uri: 'otpauth://totp/Beltway:ann?secret=ABCDEFGH',
  qr: { size: 29, path: 'M4 4h7v1h-7z' },
};
const CODES = Array.from({ length: 10 }, (_, i) => `AAAA-BBBB-CCCC-DDDD-EEEE-000${i}`);

const page = (answers: Record<string, unknown>) => {
  const calls = fakeApi({
    'GET /api/auth/me': sessionFixture().user,
    'GET /api/auth/email': { email: 'ann@example.com', isVerified: true, pending: null },
    'GET /api/auth/sessions': { items: [] },
    'GET /api/blocks': { items: [], nextCursor: null },
    ...answers,
  });
  renderAt('/account');
  return calls;
};
const section = async () =>
  within((await screen.findByRole('heading', { name: /^Codes at sign-in/ })).closest('section')!);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const bodies = (calls: ReturnType<typeof fakeApi>, path: string) =>
  calls.filter((call) => call.method === 'POST' && call.path === path).map(({ body }) => body);

test('turning codes on asks for password and code, and shows recovery codes that a key press does not close', async () => {
  let state = OFF as object;
  const calls = page({
    'GET /api/auth/totp': () => state,
    'POST /api/auth/totp/setup': SETUP,
    'POST /api/auth/totp': () => {
      state = ON;
      return { recoveryCodes: CODES };
    },
  });
  await press('Turn on codes');
  await userEvent.type(await screen.findByLabelText('Your password'), 'my own password{Enter}');
  const picture = await screen.findByRole('img', { name: /QR code for your authenticator app/ });
  expect(picture.querySelector('path')?.getAttribute('d')).toBe(SETUP.qr.path);
  expect(screen.getByText('ABCD EFGH')).toBeTruthy();
  expect(screen.getByRole('link', { name: /Open in an app/ }).getAttribute('href')).toBe(SETUP.uri);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Scan the QR code'));
  const code = screen.getByLabelText<HTMLInputElement>('Code');
  expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric']);
  await userEvent.type(code, '123456{Enter}');

  const list = within(await screen.findByRole('list', { name: 'Recovery codes' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(CODES);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('We won’t show them again'));
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByText(/We only show these codes once/)).toBeTruthy();
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined);
  await press('Copy the codes');
  expect((await screen.findByText('Codes copied.')).getAttribute('role')).toBe('status');
  expect(written).toHaveBeenCalledWith(CODES.join('\n'));
  await press('I saved them');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const off = await (await section()).findByRole('button', { name: 'Turn off codes' });
  await waitFor(() => expect(document.activeElement).toBe(off));
  expect((await section()).getByText(/10 recovery codes left/)).toBeTruthy();
  expect(bodies(calls, '/api/auth/totp/setup')).toEqual([{ password: 'my own password' }]);
  expect(bodies(calls, '/api/auth/totp')).toEqual([{ code: '123456' }]);
});

test('field errors are shown at their fields, others as text', async () => {
  const refuse = (field: string, message: string) => problem(400, 'invalid', { errors: [{ field, message }] });
  let setUp: () => unknown = () => refuse('password', 'That’s not your current password.');
  let turnOn = () => refuse('code', 'This code is not right.');
  page({
    'GET /api/auth/totp': OFF,
    'POST /api/auth/totp/setup': () => setUp(),
    'POST /api/auth/totp': () => turnOn(),
  });
  await press('Turn on codes');
  await press('Continue');
  expect(await screen.findByText('Please enter your password')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Your password'), 'wrong words{Enter}');
  expect(await screen.findByText('That’s not your current password.')).toBeTruthy();
  setUp = () => SETUP;
  await press('Continue');
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText('This code is not right.')).toBeTruthy();
  turnOn = () =>
    problem(409, 'no-setup', { detail: 'This took too long, or was started on another device. Please start again.' });
  await press('Turn on');
  expect((await screen.findByRole('alert')).textContent).toContain('Please start again.');
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull();
});

test('turning codes off requires a code and returns the focus', async () => {
  let state = { ...ON, recoveryCodesLeft: 1 } as object;
  let off: () => Response = () =>
    problem(400, 'invalid', { errors: [{ field: 'code', message: 'This code is not right.' }] });
  const calls = page({ 'GET /api/auth/totp': () => state, 'POST /api/auth/totp/off': () => off() });
  expect(await (await section()).findByText(/You have one recovery code left/)).toBeTruthy();
  await press('Turn off codes');
  await userEvent.type(await screen.findByLabelText('Code'), 'abcd-efgh-jkmn-pqrs-tvwx-yz23{Enter}');
  expect(await screen.findByText('This code is not right.')).toBeTruthy();
  off = () => ((state = OFF), answer(204));
  await press('Turn off');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Turn on codes'));
  expect(bodies(calls, '/api/auth/totp/off')).toEqual(Array(2).fill({ code: 'ABCDEFGHJKMNPQRSTVWXYZ23' }));
});

test('an admin without codes sees why they are needed, and is an admin once they are on', async () => {
  sessionStore.set(sessionFixture({ role: 'user', codesRequired: true }));
  let state = OFF as object;
  const calls = page({
    'GET /api/auth/totp': () => state,
    'POST /api/auth/totp/setup': SETUP,
    'POST /api/auth/totp': () => {
      state = ON;
      return { recoveryCodes: CODES };
    },
    'POST /api/auth/refresh': { ...sessionFixture({ role: 'admin' }), token: 'token-2' },
  });
  expect((await (await section()).findByRole('alert')).textContent).toMatch(/^Admins need codes at sign-in/);
  await press('Turn on codes');
  await userEvent.type(await screen.findByLabelText('Your password'), 'my own password{Enter}');
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeTruthy();
  expect(calls.filter(({ path }) => path === '/api/auth/refresh')).toHaveLength(1);
  expect(sessionStore.get()).toMatchObject({ token: 'token-2', user: { role: 'admin' } });
  await press('I saved them');
  expect((await section()).queryByRole('alert')).toBeNull();
});

test('other accounts do not see the section unless codes are on', async () => {
  sessionStore.set(sessionFixture());
  const state = { ...OFF, mayTurnOn: false };
  const calls = page({ 'GET /api/auth/totp': state });
  await screen.findByRole('heading', { name: 'Password' });
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/auth/totp')).toBe(true));
  expect(screen.queryByRole('heading', { name: /^Codes at sign-in/ })).toBeNull();
});

test('a loading error can be retried', async () => {
  let state: () => unknown = () => problem(503, 'unavailable', {}, { 'retry-after': '60' });
  page({ 'GET /api/auth/totp': () => state() });
  expect(await screen.findByText('Couldn’t load this')).toBeTruthy();
  state = () => ON;
  await userEvent.click(await (await section()).findByRole('button', { name: 'Retry' }));
  expect(await (await section()).findByText('On')).toBeTruthy();
});
