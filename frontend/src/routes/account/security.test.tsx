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

test('says that an address is not confirmed, and sends the link again', async () => {
  const calls = page({
    [EMAIL]: { email: user.email, isVerified: false, pending: null },
    'POST /api/auth/request-email-verification': () => answer(202),
  });
  expect(await screen.findByText('Not confirmed')).toBeTruthy();
  await press('Send the link again');
  expect((await screen.findByText('The link is on its way.')).getAttribute('role')).toBe('status');
  expect(sent(calls, 'POST', '/api/auth/request-email-verification')).toHaveLength(1);
});

test('another address is asked for with the password, and stands there until it is confirmed', async () => {
  let pending: string | null = null;
  const calls = page({
    [EMAIL]: () => ({ email: user.email, isVerified: true, pending }),
    'POST /api/auth/change-email': () => {
      pending = 'new@example.test';
      return answer(202);
    },
  });
  await press('Change my address');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your email address' }));
  await press('Send the link', dialog);
  expect(await dialog.findByText('Please enter your email address')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText('New email'), 'new@example.test');
  await userEvent.type(dialog.getByLabelText('Your password'), 'my own password');
  await press('Send the link', dialog);
  expect(await screen.findByText('new@example.test')).toBeTruthy();
  expect(await screen.findByText('Look into your new mailbox')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent(calls, 'POST', '/api/auth/change-email')).toEqual([
    { email: 'new@example.test', password: 'my own password' },
  ]);
});

test('a wrong password stands at its field, and a fault in words', async () => {
  const errors = [{ field: 'password', message: 'This is not your password.' }];
  let refusal = () => problem(400, 'invalid', { errors });
  page({ 'POST /api/auth/change-password': () => refusal() });
  await press('Change my password');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your password' }));
  await userEvent.type(dialog.getByLabelText('Present password'), 'wrong words');
  await userEvent.type(dialog.getByLabelText('New password'), 'another long password');
  await press('Change it', dialog);
  expect(await dialog.findByText('This is not your password.')).toBeTruthy();
  refusal = () => problem(409, 'demo-account', { detail: 'A demo account belongs to everybody and stays.' });
  await userEvent.type(dialog.getByLabelText('Present password'), '!');
  await press('Change it', dialog);
  expect((await dialog.findByRole('alert')).textContent).toContain('belongs to everybody');
  expect(sessionStore.get().token).toBe('token-1');
});

test('another password goes on with the new session', async () => {
  page({ 'POST /api/auth/change-password': { ...sessionFixture(), token: 'token-2' } });
  await press('Change my password');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your password' }));
  await userEvent.type(dialog.getByLabelText('Present password'), 'my own password');
  await userEvent.type(dialog.getByLabelText('New password'), 'another long password');
  await press('Change it', dialog);
  expect(await screen.findByText('Your password is changed')).toBeTruthy();
  expect(sessionStore.get().token).toBe('token-2');
});

async function prove(question: string) {
  const dialog = within(await screen.findByRole('dialog', { name: question }));
  await userEvent.type(dialog.getByLabelText('Your password'), 'my own password');
  await press('Sign out', dialog);
}

test('names where one is signed in, and ends one of them or all others', async () => {
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

test('a list that cannot be loaded says so and is asked for again', async () => {
  let isAway = true;
  page({ [SESSIONS]: () => (isAway ? problem(503, 'unavailable') : { items: [THIS] }) });
  const alert = (await screen.findByText('Your sessions could not be loaded')).closest<HTMLElement>('[role=alert]')!;
  isAway = false;
  await press('Retry', within(alert));
  expect(await screen.findByText('This device')).toBeTruthy();
});

const VERIFY = 'POST /api/auth/verify-email';

test('a mailed link confirms by a press alone, and its token leaves the address at once', async () => {
  const calls = fakeApi({ [VERIFY]: () => answer(200), 'GET /api/auth/me': { ...user, email: 'new@example.test' } });
  renderAt('/verify-email#v.3.abc.the-token');
  await screen.findByRole('button', { name: 'Confirm my address' });
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/verify-email'));
  expect(window.location.href).not.toContain('the-token');
  expect(sent(calls, 'POST', '/api/auth/verify-email')).toEqual([]);
  await press('Confirm my address');
  expect(await screen.findByRole('heading', { name: 'Your address is confirmed' })).toBeTruthy();
  expect(sent(calls, 'POST', '/api/auth/verify-email')).toEqual([{ token: 'v.3.abc.the-token' }]);
  expect(sessionStore.get().user?.email).toBe('new@example.test');
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('the-token');
});

test('who has confirmed their address gets a token that says so, without signing in anew', async () => {
  const { token } = sessionStore.get();
  fakeApi({
    ...{ [VERIFY]: () => answer(200), 'GET /api/auth/me': user },
    'POST /api/auth/refresh': { ...sessionFixture(), token: 'a-verified-token' },
  });
  renderAt('/verify-email#v.3.abc.the-token');
  await press('Confirm my address');
  await screen.findByRole('heading', { name: 'Your address is confirmed' });
  expect([token, sessionStore.get().token]).toEqual([sessionFixture().token, 'a-verified-token']);
});

test('who is signed out signs in first: no address names the token on the way', async () => {
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
  await press('Confirm my address');
  await screen.findByRole('heading', { name: 'Your address is confirmed' });
  expect(sent(calls, 'POST', '/api/auth/verify-email')).toEqual([{ token: 'v.3.abc.the-token' }]);
});

test('a link that is no longer good says so, in words', async () => {
  const detail = 'This link is no longer good.';
  fakeApi({ [VERIFY]: () => problem(400, 'link-invalid', { detail }) });
  renderAt('/verify-email#v.3.abc.the-token');
  await press('Confirm my address');
  expect((await screen.findByRole('alert')).textContent).toBe(detail);
});

test('the same is said for every address that asks for a link', async () => {
  sessionStore.clear();
  const calls = fakeApi({ 'POST /api/auth/request-password-reset': () => answer(202) });
  renderAt('/auth');
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
  await screen.findByRole('heading', { name: 'Forgot your password?' });
  await userEvent.type(screen.getByLabelText('Email'), 'nobody@example.test');
  await press('Send me a link');
  expect((await screen.findByText(/^If there is an account with the address/)).getAttribute('role')).toBe('status');
  expect(sent(calls, 'POST', '/api/auth/request-password-reset')).toEqual([{ email: 'nobody@example.test' }]);
});

test('another password by a mailed link signs this browser out, and forgets the token', async () => {
  const calls = fakeApi({ 'POST /api/auth/reset-password': () => answer(200) });
  renderAt('/reset-password#r.3.abc.the-token');
  await userEvent.type(await screen.findByLabelText('New password'), 'another long password');
  await waitFor(() => expect(window.location.href).not.toContain('the-token'));
  await press('Change my password');
  expect(await screen.findByText('Your password is changed')).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth'));
  expect(sent(calls, 'POST', '/api/auth/reset-password')).toEqual([
    { token: 'r.3.abc.the-token', password: 'another long password' },
  ]);
  expect(sessionStore.get().token).toBeNull();
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('the-token');
});

test('a used link leads to another one; without one the page says where it comes from', async () => {
  sessionStore.clear();
  fakeApi({ 'POST /api/auth/reset-password': () => problem(400, 'link-invalid', { detail: 'No longer good.' }) });
  const { navigate } = renderAt('/reset-password#r.3.abc.the-token');
  await userEvent.type(await screen.findByLabelText('New password'), 'another long password');
  await press('Change my password');
  expect((await screen.findByRole('alert')).textContent).toBe('No longer good.');
  expect(screen.getByRole('link', { name: 'Ask for another link' })).toBeTruthy();
  sessionStorage.clear();
  navigate('/reset-password');
  expect(await screen.findByRole('link', { name: 'Ask for a link' })).toBeTruthy();
});
