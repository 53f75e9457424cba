import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
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
  test('welcomes back and leads to where one came from', async () => {
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
  test('a refusal shows its toast and keeps what was typed', async () => {
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
  test('an empty field is said to be missing, not to be invalid', async () => {
    fakeApi(around);
    renderAt('/auth');
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(errorOf(await field('Email'))).toBe('Please enter your email address');
    expect(errorOf(await field('Password'))).toBe('Please enter your password');
  });
  test.each([
    ['/my-tickets', 'Sign in to see your tickets.'],
    ['/#launch', 'Sign in to launch your event. The form opens as soon as you are in.'],
    ['/ticket-checkout?eventId=7', 'Sign in, and your order goes on where it was.'],
    [
      'https://elsewhere.example/my-tickets',
      'With an account your tickets are in one place, and your own events are a form away.',
    ],
  ])('says why signing in is asked for: %s', async (next, words) => {
    fakeApi(around);
    renderAt(`/auth?next=${encodeURIComponent(next)}`);
    expect(await screen.findByText(words)).toBeTruthy();
  });
  describe('the second step', () => {
    const needed = { challenge: 'c-1', expiresAt: '2030-07-01T12:05:00.000Z' };
    const WRONG = 'This code is not right, or it was used already. Enter the one that your app shows now.';
    const wrong = () => problem(400, 'invalid', { errors: [{ field: 'code', message: WRONG }] });
    const codes = (calls: ReturnType<typeof fakeApi>) =>
      calls.filter(({ path }) => path === '/api/auth/login/code').map(({ body }) => body);

    test('asks for the code of the app after the password, and has the focus; then one is in', async () => {
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
    test('a wrong code, and what is none, stand at the field and take the focus', async () => {
      const calls = fakeApi({ ...around, 'POST /api/auth/login': needed, 'POST /api/auth/login/code': wrong });
      renderAt('/auth');
      await fillLogin();
      await userEvent.type(await field('Code'), '12{Enter}');
      expect(await screen.findByText(/Enter the six digits that your app shows, or/)).toBeTruthy();
      expect(codes(calls)).toEqual([]);
      await userEvent.type(await field('Code'), '3456{Enter}');
      await waitFor(async () => expect(errorOf(await field('Code'))).toBe(WRONG));
      expect((await field('Code')).getAttribute('aria-invalid')).toBe('true');
      await waitFor(async () => expect(document.activeElement).toBe(await field('Code')));
      expect(codes(calls)).toHaveLength(1);
    });
    test('a recovery code in its place, and back to the password', async () => {
      const calls = fakeApi({ ...around, 'POST /api/auth/login': needed, 'POST /api/auth/login/code': wrong });
      renderAt('/auth');
      await fillLogin();
      await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
      const recovery = await field('Recovery code');
      await waitFor(() => expect(document.activeElement).toBe(recovery));
      expect([recovery.autocomplete, recovery.inputMode]).toEqual(['off', 'text']);
      await userEvent.type(recovery, 'abcd-efgh-jkmn-pqrs-tvwx-yz23{Enter}');
      await waitFor(() => expect(codes(calls)).toEqual([{ challenge: 'c-1', code: 'ABCDEFGHJKMNPQRSTVWXYZ23' }]));
      await userEvent.click(screen.getByRole('button', { name: 'Back to the password' }));
      expect((await field('Password')).value).toBe('');
      expect((await field('Email')).value).toBe('ann@example.com');
    });
    test('a step that took too long leads back and says so; too many tries say when to come back', async () => {
      let refusal = () => problem(429, 'too-many', {}, { 'retry-after': '40' });
      fakeApi({ ...around, 'POST /api/auth/login': needed, 'POST /api/auth/login/code': () => refusal() });
      renderAt('/auth');
      await fillLogin();
      await userEvent.type(await field('Code'), '123456{Enter}');
      expect((await screen.findByRole('alert')).textContent).toContain('Please try again in 40 seconds.');
      refusal = () => problem(400, 'challenge-invalid');
      await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
      await field('Password');
      expect((await screen.findByRole('alert')).textContent).toContain('The second step took too long');
    });
  });
  test('too many tries: says in words when to try again', async () => {
    fakeApi({ ...around, 'POST /api/auth/login': () => problem(429, 'too-many', {}, { 'retry-after': '40' }) });
    renderAt('/auth');
    await fillLogin();
    expect((await screen.findByRole('alert')).textContent).toContain('Please try again in 40 seconds.');
  });
  test('a server that cannot be reached', async () => {
    fakeApi({
      ...around,
      'POST /api/auth/login': () => {
        throw new TypeError('Failed to fetch');
      },
    });
    renderAt('/auth');
    await fillLogin();
    expect(await screen.findByText(/cannot be reached/)).toBeTruthy();
  });
  test('shows the password on demand', async () => {
    fakeApi(around);
    renderAt('/auth');
    const password = await field('Password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password.type).toBe('text');
  });
  test('fills in a demo account where there are any, and shows none elsewhere', async () => {
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
  test('a known email shows its toast', async () => {
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
  test('leads from a page that needs one to /auth, with the way back', async () => {
    over();
    renderAt('/my-tickets?a=1');
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fmy-tickets%3Fa%3D1'));
    expect(sessionStore.get().token).toBeNull();
    expect(await screen.findByText(/your session has ended/)).toBeTruthy();
  });
  test('leaves a public page where it is, signed out', async () => {
    over();
    renderAt('/?q=jazz');
    await waitFor(() => expect(sessionStore.get().token).toBeNull());
    expect((await screen.findAllByRole('link', { name: /sign in/i })).length).toBeGreaterThan(0);
    expect(screen.getByTestId('address').textContent).toBe('/?q=jazz');
  });
});

test('signing out leads to /auth, without a way back', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ ...around, 'POST /api/auth/logout': {} });
  renderAt('/my-tickets');
  const [signOut] = await screen.findAllByRole('button', { name: 'Sign out' });
  if (signOut) await userEvent.click(signOut);
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth'));
  expect(await field('Email')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/auth');
});

test('an unknown path shows the page for it', async () => {
  fakeApi(around);
  renderAt('/nowhere');
  expect(await screen.findByRole('heading', { name: 'You missed the exit' })).toBeTruthy();
});
