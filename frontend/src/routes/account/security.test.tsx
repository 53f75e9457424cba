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
  sessionStore.set(sessionFixture());
});
afterEach(() => vi.restoreAllMocks());

const { user } = sessionFixture();
const EMAIL = 'GET /api/auth/email';
const SESSIONS = 'GET /api/auth/sessions';
const session = (changes: object = {}) => ({
  id: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10',
  device: 'Firefox on Windows',
  startedAt: '2030-07-01T12:00:00.000Z',
  usedAt: '2030-07-01T12:00:00.000Z',
  isCurrent: false,
  ...changes,
});
const THIS = session({ id: '1b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', device: 'Chrome on Android', isCurrent: true });
const page = (answers: Record<string, unknown> = {}) => {
  const calls = fakeApi({
    'GET /api/auth/me': user,
    [EMAIL]: { email: user.email, isVerified: true, pending: null },
    [SESSIONS]: { items: [THIS, session()] },
    'GET /api/blocks': { items: [], nextCursor: null },
    ...answers,
  });
  renderAt('/account');
  return calls;
};
const sent = (calls: ReturnType<typeof fakeApi>, method: string, path: string) =>
  calls.filter((call) => call.method === method && call.path === path).map(({ body }) => body);
const press = async (name: string, within_: { findByRole: typeof screen.findByRole } = screen) =>
  userEvent.click(await within_.findByRole('button', { name }));

test('an unconfirmed email address is marked, and the link can be sent again', async () => {
  const calls = page({
    [EMAIL]: { email: user.email, isVerified: false, pending: null },
    'POST /api/auth/request-email-verification': () => answer(202),
  });
  expect(await screen.findByText('Not confirmed')).toBeTruthy();
  await press('Send the link again');
  expect((await screen.findByText('We sent the link.')).getAttribute('role')).toBe('status');
  expect(sent(calls, 'POST', '/api/auth/request-email-verification')).toHaveLength(1);
});

test('changing the email address requires the password; the new address is pending until confirmed', async () => {
  let pending: string | null = null;
  const calls = page({
    [EMAIL]: () => ({ email: user.email, isVerified: true, pending }),
    'POST /api/auth/change-email': () => {
      pending = 'new@example.test';
      return answer(202);
    },
  });
  await press('Change my email');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your email address' }));
  await press('Send the link', dialog);
  expect(await dialog.findByText('Please enter your email address')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText('New email'), 'new@example.test');
  await userEvent.type(dialog.getByLabelText('Your password'), 'my own password');
  await press('Send the link', dialog);
  expect(await screen.findByText('new@example.test')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent(calls, 'POST', '/api/auth/change-email')).toEqual([
    { email: 'new@example.test', password: 'my own password' },
  ]);
});

test('a wrong password is shown at its field, another refusal as text', async () => {
  const errors = [{ field: 'password', message: 'That’s not your current password.' }];
  let refusal = () => problem(400, 'invalid', { errors });
  page({ 'POST /api/auth/change-password': () => refusal() });
  await press('Change my password');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your password' }));
  await userEvent.type(dialog.getByLabelText('Current password'), 'wrong words');
  await userEvent.type(dialog.getByLabelText('New password'), 'another long password');
  await press('Change password', dialog);
  expect(await dialog.findByText('That’s not your current password.')).toBeTruthy();
  refusal = () => problem(409, 'demo-account', { detail: 'Demo accounts are shared, so you can’t change this.' });
  await userEvent.type(dialog.getByLabelText('Current password'), '!');
  await press('Change password', dialog);
  expect((await dialog.findByRole('alert')).textContent).toContain('Demo accounts are shared');
  expect(sessionStore.get().token).toBe('token-1');
});

test('a password change continues with the new session', async () => {
  page({ 'POST /api/auth/change-password': { ...sessionFixture(), token: 'token-2' } });
  await press('Change my password');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your password' }));
  await userEvent.type(dialog.getByLabelText('Current password'), 'my own password');
  await userEvent.type(dialog.getByLabelText('New password'), 'another long password');
  await press('Change password', dialog);
  expect(await screen.findByText('Your password was changed')).toBeTruthy();
  expect(sessionStore.get().token).toBe('token-2');
});

async function prove(question: string) {
  const dialog = within(await screen.findByRole('dialog', { name: question }));
  await userEvent.type(dialog.getByLabelText('Your password'), 'my own password');
  await press('Sign out', dialog);
}

test('lists the sessions, and ends one of them or all others', async () => {
  let items = [THIS, session(), session({ id: '2b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', device: 'Safari on iPhone' })];
  const calls = page({
    [SESSIONS]: () => ({ items }),
    [`DELETE /api/auth/sessions/${session().id}`]: () => {
      items = items.filter(({ id }) => id !== session().id);
      return answer(200);
    },
    'DELETE /api/auth/sessions': () => {
      items = [THIS];
      return answer(200);
    },
  });
  const list = (await screen.findByText('This device')).closest('li')!;
  expect(within(list).queryByRole('button')).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: /^Sign out Firefox on Windows/ }));
  await prove('Sign out Firefox on Windows?');
  await waitFor(() => expect(screen.queryByText('Firefox on Windows')).toBeNull());
  await press('Sign out everywhere else');
  await prove('Sign out everywhere else?');
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull();
  const ended = calls.filter(({ method }) => method === 'DELETE');
  expect(ended.map(({ body }) => body)).toEqual([{ password: 'my own password' }, { password: 'my own password' }]);
});

test('a list that cannot be loaded shows an error and a retry', async () => {
  let isAway = true;
  page({ [SESSIONS]: () => (isAway ? problem(503, 'unavailable') : { items: [THIS] }) });
  const alert = (await screen.findByText('Couldn’t load your sessions')).closest<HTMLElement>('[role=alert]')!;
  isAway = false;
  await press('Retry', within(alert));
  expect(await screen.findByText('This device')).toBeTruthy();
});

const VERIFY = 'POST /api/auth/verify-email';

test('a mailed link confirms only after a press, and its token is removed from the URL immediately', async () => {
  const calls = fakeApi({ [VERIFY]: () => answer(200), 'GET /api/auth/me': { ...user, email: 'new@example.test' } });
  renderAt('/verify-email#v.3.abc.the-token');
  await screen.findByRole('button', { name: 'Confirm my email' });
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/verify-email'));
  expect(window.location.href).not.toContain('the-token');
  expect(sent(calls, 'POST', '/api/auth/verify-email')).toEqual([]);
  await press('Confirm my email');
  expect(await screen.findByRole('heading', { name: 'Your email is confirmed' })).toBeTruthy();
  expect(sent(calls, 'POST', '/api/auth/verify-email')).toEqual([{ token: 'v.3.abc.the-token' }]);
  expect(sessionStore.get().user?.email).toBe('new@example.test');
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('the-token');
});

test('confirming the email address renews the token without another sign-in', async () => {
  const { token } = sessionStore.get();
  fakeApi({
    ...{ [VERIFY]: () => answer(200), 'GET /api/auth/me': user },
    'POST /api/auth/refresh': { ...sessionFixture(), token: 'a-verified-token' },
  });
  renderAt('/verify-email#v.3.abc.the-token');
  await press('Confirm my email');
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  expect([token, sessionStore.get().token]).toEqual([sessionFixture().token, 'a-verified-token']);
});

test('a signed-out user signs in first, and no URL contains the token', async () => {
  sessionStore.clear();
  const calls = fakeApi({ [VERIFY]: () => answer(200), 'GET /api/auth/me': user });
  const { navigate } = renderAt('/verify-email#v.3.abc.the-token');
  const main = within(await screen.findByRole('main'));
  const link = await main.findByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('/auth?next=%2Fverify-email');
  await userEvent.click(link);
  expect(await screen.findByText('Sign in to confirm your email address.')).toBeTruthy();
  expect(window.location.href).not.toContain('the-token');
  sessionStore.set(sessionFixture());
  navigate('/verify-email');
  await press('Confirm my email');
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  expect(sent(calls, 'POST', '/api/auth/verify-email')).toEqual([{ token: 'v.3.abc.the-token' }]);
});

test('an expired link shows the reason', async () => {
  const detail = 'This link no longer works.';
  fakeApi({ [VERIFY]: () => problem(400, 'link-invalid', { detail }) });
  renderAt('/verify-email#v.3.abc.the-token');
  await press('Confirm my email');
  expect((await screen.findByRole('alert')).textContent).toBe(detail);
});

test('the response is the same for known and unknown email addresses', async () => {
  sessionStore.clear();
  const calls = fakeApi({ 'POST /api/auth/request-password-reset': () => answer(202) });
  renderAt('/auth');
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
  await screen.findByRole('heading', { name: 'Forgot your password?' });
  await userEvent.type(screen.getByLabelText('Email'), 'nobody@example.test');
  await press('Send me a link');
  expect((await screen.findByText(/^If there’s an account for/)).getAttribute('role')).toBe('status');
  expect(sent(calls, 'POST', '/api/auth/request-password-reset')).toEqual([{ email: 'nobody@example.test' }]);
});

test('a password reset signs this browser out and forgets the token', async () => {
  const calls = fakeApi({ 'POST /api/auth/reset-password': () => answer(200) });
  renderAt('/reset-password#r.3.abc.the-token');
  await userEvent.type(await screen.findByLabelText('New password'), 'another long password');
  await waitFor(() => expect(window.location.href).not.toContain('the-token'));
  await press('Change my password');
  expect(await screen.findByText('Your password was changed')).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth'));
  expect(sent(calls, 'POST', '/api/auth/reset-password')).toEqual([
    { token: 'r.3.abc.the-token', password: 'another long password' },
  ]);
  expect(sessionStore.get().token).toBeNull();
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('the-token');
});

test('without a link, or with a used link, the page offers to request a new link', async () => {
  sessionStore.clear();
  fakeApi({ 'POST /api/auth/reset-password': () => problem(400, 'link-invalid', { detail: 'No longer good.' }) });
  const { navigate } = renderAt('/reset-password#r.3.abc.the-token');
  await userEvent.type(await screen.findByLabelText('New password'), 'another long password');
  await press('Change my password');
  expect((await screen.findByRole('alert')).textContent).toBe('No longer good.');
  expect(screen.getByRole('link', { name: 'Get a new link' })).toBeTruthy();
  sessionStorage.clear();
  navigate('/reset-password');
  expect(await screen.findByRole('link', { name: 'Get a link' })).toBeTruthy();
});
