import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { sessionStore, TOKEN_KEY, USER_KEY } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { configFixture } from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

const config = configFixture();
const around = {
  'GET /api/config': config,
  'GET /api/events': [],
  'GET /api/events/featured': [],
  'GET /api/tickets/my-tickets': [],
};
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const errorOf = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent;

async function fillLogin(email = 'ann@example.com', password = 'secret1') {
  await userEvent.type(await field('Email'), email);
  await userEvent.type(await field('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}
async function fillRegistration() {
  await userEvent.click(await screen.findByRole('tab', { name: 'Register' }));
  await userEvent.type(await field('Name'), 'Ann');
  await userEvent.type(await field('Email'), 'ann@example.com');
  await userEvent.type(await field('Password'), 'secret1');
}

describe('login', () => {
  test('welcomes back and returns to the previous page', async () => {
    const calls = fakeApi({ ...around, 'POST /api/auth/login': sessionFixture() });
    renderAt('/my-tickets');
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fmy-tickets'));
    await fillLogin();
    expect(await screen.findByText('Welcome back!')).toBeTruthy();
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/my-tickets'));
    expect(calls.find(({ path }) => path === '/api/auth/login')?.body).toEqual({
      email: 'ann@example.com',
      password: 'secret1',
    });
    expect(sessionStore.get().user?.name).toBe('Ann');
  });
  test('leads an admin without codes at sign-in to turning them on', async () => {
    const session = sessionFixture({ role: 'user', codesRequired: true });
    fakeApi({ ...around, 'GET /api/auth/totp': {}, 'POST /api/auth/login': session });
    renderAt('/auth?next=%2Fops');
    await fillLogin();
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/account'));
  });
  test('a refusal shows a toast and keeps the input', async () => {
    fakeApi({ ...around, 'POST /api/auth/login': () => problem(401, 'wrong-credentials') });
    renderAt('/auth');
    await fillLogin();
    expect(await screen.findByText('Invalid email or password.')).toBeTruthy();
    await waitFor(async () => expect(document.activeElement).toBe(await field('Password')));
    expect((await field('Email')).value).toBe('ann@example.com');
    expect(screen.getByTestId('address').textContent).toBe('/auth');
  });
  test('an invalid form shows a message at each field and sends nothing', async () => {
    const calls = fakeApi(around);
    renderAt('/auth');
    await fillLogin('not-an-address', 'short');
    expect(errorOf(await field('Email'))).toBe('Please enter a valid email address');
    expect(errorOf(await field('Password'))).toBe('Password must be at least 6 characters');
    expect(calls.some(({ path }) => path === '/api/auth/login')).toBe(false);
    await waitFor(() => expect(document.activeElement?.getAttribute('name')).toBe('email'));
  });
  test('an empty field is reported as missing, not as invalid', async () => {
    fakeApi(around);
    renderAt('/auth');
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(errorOf(await field('Email'))).toBe('Please enter your email address');
    expect(errorOf(await field('Password'))).toBe('Please enter your password');
  });
  test.each([
    ['/my-tickets', 'Sign in to see your tickets.'],
    ['/#launch', 'Sign in or create an account to launch your event.'],
    ['/ticket-checkout?eventId=7', 'Sign in to continue your order.'],
    ['https://elsewhere.example/my-tickets', 'Keep your tickets in one place and host your own events.'],
  ])('explains why signing in is needed: %s', async (next, words) => {
    fakeApi(around);
    renderAt(`/auth?next=${encodeURIComponent(next)}`);
    expect(await screen.findByText(words)).toBeTruthy();
  });
  describe('the second step', () => {
    const needed = { challenge: 'c-1', expiresAt: '2030-07-01T12:05:00.000Z' };
    const WRONG = 'This code is wrong or was already used. Enter the one your app shows now.';
    const wrong = () => problem(400, 'invalid', { errors: [{ field: 'code', message: WRONG }] });
    const codes = (calls: ReturnType<typeof fakeApi>) =>
      calls.filter(({ path }) => path === '/api/auth/login/code').map(({ body }) => body);

    test('asks for the app’s code after the password, focuses it, and signs in', async () => {
      const calls = fakeApi({
        ...around,
        'POST /api/auth/login': needed,
        'POST /api/auth/login/code': sessionFixture(),
      });
      renderAt('/auth?next=%2Fmy-tickets');
      await fillLogin();
      const code = await field('Code');
      await waitFor(() => expect(document.activeElement).toBe(code));
      expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric']);
      expect(screen.queryByLabelText('Password')).toBeNull();
      expect(sessionStore.get().token).toBeNull();
      expect(screen.queryByText('Welcome back!')).toBeNull();
      await userEvent.type(code, '123 456{Enter}');
      expect(await screen.findByText('Welcome back!')).toBeTruthy();
      expect(codes(calls)).toEqual([{ challenge: 'c-1', code: '123456' }]);
      expect(sessionStore.get().token).toBe('token-1');
    });
    test('a wrong or malformed code is shown at the field, which gets the focus', async () => {
      const calls = fakeApi({ ...around, 'POST /api/auth/login': needed, 'POST /api/auth/login/code': wrong });
      renderAt('/auth');
      await fillLogin();
      await userEvent.type(await field('Code'), '12{Enter}');
      expect(await screen.findByText(/Enter the six digits in your app, or/)).toBeTruthy();
      expect(codes(calls)).toEqual([]);
      await userEvent.type(await field('Code'), '3456{Enter}');
      await waitFor(async () => expect(errorOf(await field('Code'))).toBe(WRONG));
      expect((await field('Code')).getAttribute('aria-invalid')).toBe('true');
      await waitFor(async () => expect(document.activeElement).toBe(await field('Code')));
      expect(codes(calls)).toHaveLength(1);
    });
    test('a recovery code works instead, and a link leads back to the password', async () => {
      const calls = fakeApi({ ...around, 'POST /api/auth/login': needed, 'POST /api/auth/login/code': wrong });
      renderAt('/auth');
      await fillLogin();
      await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
      const recovery = await field('Recovery code');
      await waitFor(() => expect(document.activeElement).toBe(recovery));
      expect([recovery.autocomplete, recovery.inputMode]).toEqual(['off', 'text']);
      await userEvent.type(recovery, 'abcd-efgh-jkmn-pqrs-tvwx-yz23{Enter}');
      await waitFor(() => expect(codes(calls)).toEqual([{ challenge: 'c-1', code: 'ABCDEFGHJKMNPQRSTVWXYZ23' }]));
      await userEvent.click(screen.getByRole('button', { name: 'Back to password' }));
      expect((await field('Password')).value).toBe('');
      expect((await field('Email')).value).toBe('ann@example.com');
    });
    test('an expired step leads back to the password with the reason; too many tries show when to retry', async () => {
      let refusal = () => problem(429, 'too-many', {}, { 'retry-after': '40' });
      fakeApi({ ...around, 'POST /api/auth/login': needed, 'POST /api/auth/login/code': () => refusal() });
      renderAt('/auth');
      await fillLogin();
      await userEvent.type(await field('Code'), '123456{Enter}');
      expect((await screen.findByRole('alert')).textContent).toContain('try again in 40 seconds.');
      refusal = () => problem(400, 'challenge-invalid');
      await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
      await field('Password');
      expect((await screen.findByRole('alert')).textContent).toContain('That took too long');
    });
  });
  test('too many tries show when to retry', async () => {
    fakeApi({ ...around, 'POST /api/auth/login': () => problem(429, 'too-many', {}, { 'retry-after': '40' }) });
    renderAt('/auth');
    await fillLogin();
    expect((await screen.findByRole('alert')).textContent).toContain('try again in 40 seconds.');
  });
  test('an unreachable server shows an error', async () => {
    fakeApi({
      ...around,
      'POST /api/auth/login': () => {
        throw new TypeError('Failed to fetch');
      },
    });
    renderAt('/auth');
    await fillLogin();
    expect(await screen.findByText(/can’t reach Beltway/)).toBeTruthy();
  });
  test('shows the password on demand', async () => {
    fakeApi(around);
    renderAt('/auth');
    const password = await field('Password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password.type).toBe('text');
  });
  test('fills in a demo account if there are any', async () => {
    const demo = { password: 'demo-pass', accounts: [{ email: 'bea@beltway.demo', role: 'business' }] };
    fakeApi({ ...around, 'GET /api/config': { ...config, demo } });
    const { unmount } = renderAt('/auth');
    await userEvent.click(await screen.findByRole('button', { name: /bea@beltway.demo/ }));
    expect((await field('Email')).value).toBe('bea@beltway.demo');
    expect((await field('Password')).value).toBe('demo-pass');
    unmount();
    fakeApi(around);
    renderAt('/auth');
    await field('Email');
    expect(screen.queryByText('Demo accounts')).toBeNull();
  });
});

describe('registration', () => {
  test('sends the account type and welcomes', async () => {
    const calls = fakeApi({ ...around, 'POST /api/auth/register': sessionFixture({ role: 'business' }) });
    renderAt('/auth');
    await fillRegistration();
    expect(screen.queryByRole('radio', { name: /Admin/ })).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Business Owner' }));
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Welcome to Beltway!')).toBeTruthy();
    const sent = calls.find(({ path }) => path === '/api/auth/register');
    expect(sent?.body).toEqual({ name: 'Ann', email: 'ann@example.com', password: 'secret1', role: 'business' });
  });
  test('an email address that is already registered shows a toast', async () => {
    fakeApi({ ...around, 'POST /api/auth/register': () => problem(409, 'email-taken') });
    renderAt('/auth');
    await fillRegistration();
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Email may already be in use.')).toBeTruthy();
  });
  test('a field error of the server is shown at its field', async () => {
    const errors = [{ field: 'password', message: 'This password is too common.' }];
    fakeApi({ ...around, 'POST /api/auth/register': () => problem(400, 'invalid', { errors }) });
    renderAt('/auth');
    await fillRegistration();
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
    await waitFor(async () => expect(errorOf(await field('Password'))).toBe('This password is too common.'));
  });
});

describe('a session that the server no longer knows', () => {
  const guest = ({ headers }: { headers: Headers }) => (headers.has('authorization') ? answer(401) : []);
  const over = () => {
    sessionStore.set(sessionFixture());
    const refused = { 'POST /api/auth/refresh': () => problem(401, 'unauthenticated') };
    fakeApi({ ...around, 'GET /api/events': guest, 'GET /api/tickets/my-tickets': () => answer(401), ...refused });
  };
  test('leads from a page that needs a session to /auth, with a return path', async () => {
    over();
    renderAt('/my-tickets?a=1');
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fmy-tickets%3Fa%3D1'));
    expect(sessionStore.get().token).toBeNull();
    expect(await screen.findByText(/Your session expired/)).toBeTruthy();
  });
  test('stays on a public page, signed out', async () => {
    over();
    renderAt('/?q=jazz');
    await waitFor(() => expect(sessionStore.get().token).toBeNull());
    expect((await screen.findAllByRole('link', { name: /sign in/i })).length).toBeGreaterThan(0);
    expect(screen.getByTestId('address').textContent).toBe('/?q=jazz');
  });
});

test('a session that has expired in another tab leads to /auth, with a return path', async () => {
  sessionStore.set(sessionFixture());
  fakeApi(around);
  renderAt('/my-tickets?a=1');
  await screen.findByRole('heading', { level: 1 });
  localStorage.setItem('beltway.expired', '1');
  localStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(USER_KEY);
  const change = Object.assign(new Event('storage'), { key: TOKEN_KEY, newValue: null });
  act(() => void window.dispatchEvent(change));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fmy-tickets%3Fa%3D1'));
  expect(await screen.findByText(/Your session expired/)).toBeTruthy();
});

test('signing out leads to /auth, without a return path', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ ...around, 'POST /api/auth/logout': {} });
  renderAt('/my-tickets');
  const [signOut] = await screen.findAllByRole('button', { name: 'Sign out' });
  if (signOut) await userEvent.click(signOut);
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth'));
  expect(await field('Email')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/auth');
});

test('an unknown path shows the not-found page', async () => {
  fakeApi(around);
  renderAt('/nowhere');
  expect(await screen.findByRole('heading', { name: 'You missed the exit' })).toBeTruthy();
});
