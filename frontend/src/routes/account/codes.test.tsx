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

test('turning it on: password, QR code and key, a code, and the recovery codes, which a key press does not close', async () => {
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
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Scan the picture'));
  const code = screen.getByLabelText<HTMLInputElement>('Code');
  expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric']);
  await userEvent.type(code, '123456{Enter}');

  const list = within(await screen.findByRole('list', { name: 'Recovery codes' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(CODES);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('shown now and never again'));
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByText(/These codes are shown once/)).toBeTruthy();
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined);
  await press('Copy the codes');
  expect((await screen.findByText('The codes are copied.')).getAttribute('role')).toBe('status');
  expect(written).toHaveBeenCalledWith(CODES.join('\n'));
  await press('I have kept them');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const off = await (await section()).findByRole('button', { name: 'Turn off codes' });
  await waitFor(() => expect(document.activeElement).toBe(off));
  expect((await section()).getByText(/10 recovery codes are left/)).toBeTruthy();
  expect(bodies(calls, '/api/auth/totp/setup')).toEqual([{ password: 'my own password' }]);
  expect(bodies(calls, '/api/auth/totp')).toEqual([{ code: '123456' }]);
});

test('refusals stand at their fields, others in words', async () => {
  const refuse = (field: string, message: string) => problem(400, 'invalid', { errors: [{ field, message }] });
  let setUp: () => unknown = () => refuse('password', 'This is not your password.');
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
  expect(await screen.findByText('This is not your password.')).toBeTruthy();
  setUp = () => SETUP;
  await press('Continue');
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText('This code is not right.')).toBeTruthy();
  turnOn = () =>
    problem(409, 'no-setup', { detail: 'This took too long, or was begun elsewhere. Please begin again.' });
  await press('Turn on');
  expect((await screen.findByRole('alert')).textContent).toContain('Please begin again.');
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull();
});

test('turning it off takes a code, and gives the focus back', async () => {
  let state = { ...ON, recoveryCodesLeft: 1 } as object;
  let off: () => Response = () =>
    problem(400, 'invalid', { errors: [{ field: 'code', message: 'This code is not right.' }] });
  const calls = page({ 'GET /api/auth/totp': () => state, 'POST /api/auth/totp/off': () => off() });
  expect(await (await section()).findByText(/One recovery code is left/)).toBeTruthy();
  await press('Turn off codes');
  await userEvent.type(await screen.findByLabelText('Code'), 'abcd-efgh-jkmn-pqrs-tvwx-yz23{Enter}');
  expect(await screen.findByText('This code is not right.')).toBeTruthy();
  off = () => ((state = OFF), answer(204));
  await press('Turn off');
  expect(await screen.findByText('Codes are off')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Turn on codes'));
  expect(bodies(calls, '/api/auth/totp/off')).toEqual(Array(2).fill({ code: 'ABCDEFGHJKMNPQRSTVWXYZ23' }));
});

test('other accounts see nothing of it, unless they have it on still', async () => {
  sessionStore.set(sessionFixture());
  const state = { ...OFF, mayTurnOn: false };
  const calls = page({ 'GET /api/auth/totp': state });
  await screen.findByRole('heading', { name: 'Password' });
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/auth/totp')).toBe(true));
  expect(screen.queryByRole('heading', { name: /^Codes at sign-in/ })).toBeNull();
});

test('what cannot be loaded is said, and asked for again', async () => {
  let state: () => unknown = () => problem(503, 'unavailable', {}, { 'retry-after': '60' });
  page({ 'GET /api/auth/totp': () => state() });
  expect(await screen.findByText('This could not be loaded', {}, { timeout: 5_000 })).toBeTruthy();
  state = () => ON;
  await userEvent.click(await (await section()).findByRole('button', { name: 'Retry' }));
  expect(await (await section()).findByText('On')).toBeTruthy();
});
