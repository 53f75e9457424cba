import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Passkey } from '@beltway/contracts/identity/passkeys';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { configFixture } from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const b64 = (text: string) => btoa(text).replace(/=+$/, '');
/** A fake credential of the browser, with the fields of both registration and sign-in. */
const credential = {
  ...{ id: b64('key'), rawId: bytes('key'), type: 'public-key', authenticatorAttachment: 'platform' },
  response: {
    ...{ clientDataJSON: bytes('client'), attestationObject: bytes('attested'), authenticatorData: bytes('data') },
    ...{ signature: bytes('signed'), userHandle: bytes('handle'), getTransports: () => ['internal'] },
  },
  getClientExtensionResults: () => ({}),
};
const ask = vi.fn<(options: { publicKey: { challenge: ArrayBuffer } }) => Promise<unknown>>();
const saidNo = (name: string) => Object.assign(new Error('a sentence for developers'), { name });

beforeEach(() => {
  ask.mockReset().mockResolvedValue(credential);
  vi.stubGlobal('PublicKeyCredential', class {});
  Object.defineProperty(navigator, 'credentials', { value: { create: ask, get: ask }, configurable: true });
  sessionStore.set(sessionFixture());
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
});

const LIST = 'GET /api/auth/passkeys';
const OPTIONS = 'POST /api/auth/passkeys/options';
const ADD = 'POST /api/auth/passkeys';
const challenge = b64('to be signed');
const toAdd = { challenge, rp: { name: 'Beltway', id: 'localhost' }, user: { id: b64('handle'), name: 'a', displayName: 'a' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }] }; // oxfmt-ignore
const passkey = (changes: Partial<Passkey> = {}): Passkey => ({
  id: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10',
  name: 'Old phone',
  addedAt: '2030-07-01T12:00:00.000Z',
  usedAt: null,
  ...changes,
});
const PATH = `/api/auth/passkeys/${passkey().id}`;

async function section(answers: Record<string, unknown>) {
  const calls = fakeApi({ 'GET /api/auth/me': sessionFixture().user, ...answers });
  renderAt('/account');
  const found = await screen.findByRole('region', { name: 'Passkeys' });
  return { calls, passkeys: within(found) };
}
const sent = (calls: ReturnType<typeof fakeApi>, method: string, path: string) =>
  calls.filter((call) => call.method === method && call.path === path).map(({ body }) => body);
const press = async (name: string, inside: Pick<typeof screen, 'findByRole'> = screen) =>
  userEvent.click(await inside.findByRole('button', { name }));
async function fillIn(passkeys: Pick<typeof screen, 'findByRole'>, name = 'My phone') {
  await press('Add a passkey', passkeys);
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a passkey' }));
  if (name) await userEvent.type(dialog.getByLabelText('Name'), name);
  await userEvent.type(dialog.getByLabelText('Your password'), 'my own password');
  await press('Continue', dialog);
  return dialog;
}

test('a passkey is added with a name and the password, and is listed', async () => {
  const added = passkey({ name: 'My phone' });
  const { calls, passkeys } = await section({
    [LIST]: { items: [] },
    [OPTIONS]: toAdd,
    [ADD]: () => answer(201, added),
  });
  const dialog = await fillIn(passkeys, '');
  expect(await dialog.findByText('Enter a name for the passkey')).toBeTruthy();
  expect(sent(calls, 'POST', '/api/auth/passkeys/options')).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Name'), 'My phone');
  await press('Continue', dialog);
  expect(await passkeys.findByText('My phone')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent(calls, 'POST', '/api/auth/passkeys/options')).toEqual([{ password: 'my own password' }]);
  expect(new TextDecoder().decode(ask.mock.calls[0]![0].publicKey.challenge)).toBe('to be signed');
  expect(sent(calls, 'POST', '/api/auth/passkeys')).toMatchObject([
    {
      name: 'My phone',
      credential: { id: b64('key'), response: { clientDataJSON: b64('client'), attestationObject: b64('attested') } },
    },
  ]);
});

test('a wrong password is shown at its field, and the device is not prompted', async () => {
  const errors = [{ field: 'password', message: 'That’s not your current password.' }];
  const { passkeys } = await section({ [LIST]: { items: [] }, [OPTIONS]: () => problem(400, 'invalid', { errors }) });
  const dialog = await fillIn(passkeys);
  expect(await dialog.findByText('That’s not your current password.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Your password')));
  expect(ask).not.toHaveBeenCalled();
});

test.each([
  ['NotAllowedError', /was canceled or took too long/],
  ['InvalidStateError', /already has a passkey for your account/],
  ['ConstraintError', /Set a screen lock first/],
  ['SecurityError', /don’t work at this web address/],
])('%s of the browser is explained, and nothing is sent', async (name, words) => {
  ask.mockRejectedValue(saidNo(name));
  const { calls, passkeys } = await section({ [LIST]: { items: [] }, [OPTIONS]: toAdd });
  const dialog = await fillIn(passkeys);
  expect((await dialog.findByRole('alert')).textContent).toMatch(words);
  expect(sent(calls, 'POST', '/api/auth/passkeys')).toEqual([]);
});

test('a passkey can be renamed', async () => {
  const { calls, passkeys } = await section({
    [LIST]: { items: [passkey()] },
    [`PATCH ${PATH}`]: passkey({ name: 'New phone' }),
  });
  await press('Rename Old phone', passkeys);
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename this passkey' }));
  await userEvent.clear(dialog.getByLabelText('Name'));
  await userEvent.type(dialog.getByLabelText('Name'), 'New phone');
  await press('Rename', dialog);
  expect(await passkeys.findByText('New phone')).toBeTruthy();
  expect(sent(calls, 'PATCH', PATH)).toEqual([{ name: 'New phone' }]);
});

test('a passkey is removed after a confirmation; the focus moves to the heading above', async () => {
  const { calls, passkeys } = await section({
    [LIST]: { items: [passkey(), passkey({ id: '1b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', name: 'Laptop' })] },
    [`DELETE ${PATH}`]: () => answer(200),
  });
  await press('Remove Old phone', passkeys);
  await press('Keep it');
  expect(sent(calls, 'DELETE', PATH)).toEqual([]);
  await press('Remove Old phone', passkeys);
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove ‘Old phone’?' }));
  await userEvent.type(dialog.getByLabelText('Your password'), 'my own password');
  await press('Remove', dialog);
  await waitFor(() => expect(passkeys.queryByText('Old phone')).toBeNull());
  expect(passkeys.getByText('Laptop')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Passkeys'));
  expect(sent(calls, 'DELETE', PATH)).toEqual([{ password: 'my own password' }]);
});

test('an account with 20 passkeys cannot add another one', async () => {
  const items = Array.from({ length: 20 }, (_, n) =>
    passkey({ id: `0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f${10 + n}`, name: `Key ${n}` }),
  );
  const { passkeys } = await section({ [LIST]: { items } });
  expect(await passkeys.findByText(/You have 20 passkeys/)).toBeTruthy();
  expect(passkeys.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a browser that does not support passkeys shows only the list of existing passkeys', async () => {
  vi.unstubAllGlobals();
  const { passkeys } = await section({ [LIST]: { items: [passkey()] } });
  expect(await passkeys.findByText('This browser can’t add a passkey here.')).toBeTruthy();
  expect(passkeys.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a browser that does not support passkeys does not offer to sign in with a passkey', async () => {
  vi.unstubAllGlobals();
  sessionStore.clear();
  fakeApi({ 'GET /api/config': configFixture() });
  renderAt('/auth');
  await screen.findByRole('form', { name: 'Sign in' });
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
});

const SIGN = 'POST /api/auth/login/passkey';
const around = {
  'GET /api/config': configFixture(),
  'GET /api/tickets/my-tickets': [],
  [`${SIGN}/options`]: { challenge, rpId: 'localhost' },
};

test('a passkey signs in without email address and password, and returns to the previous page', async () => {
  sessionStore.clear();
  const calls = fakeApi({ ...around, [SIGN]: sessionFixture() });
  renderAt('/auth?next=%2Fmy-tickets');
  await press('Sign in with a passkey');
  expect(await screen.findByText('Welcome back!')).toBeTruthy();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/my-tickets'));
  expect(new TextDecoder().decode(ask.mock.calls[0]![0].publicKey.challenge)).toBe('to be signed');
  expect(sent(calls, 'POST', '/api/auth/login/passkey')).toMatchObject([
    { credential: { id: b64('key'), response: { signature: b64('signed'), userHandle: b64('handle') } } },
  ]);
  expect(sessionStore.get().user?.name).toBe('Ann');
});

test.each([
  [() => problem(401, 'passkey-refused', { detail: 'Sign in with your password.' }), 'Sign in with your password.'],
  [() => problem(403, 'account-suspended', { detail: 'Suspended until May 1.' }), 'Suspended until May 1.'],
  [() => problem(429, 'too-many', {}, { 'retry-after': '40' }), /try again in 40 seconds/],
])('a refused sign-in shows the reason and stays on the page', async (refusal, words) => {
  sessionStore.clear();
  fakeApi({ ...around, [SIGN]: refusal });
  renderAt('/auth');
  await press('Sign in with a passkey');
  const form = within(await screen.findByRole('form', { name: 'Sign in' }));
  expect((await form.findByRole('alert')).textContent).toMatch(words);
  expect(screen.getByTestId('address').textContent).toBe('/auth');
  expect(await screen.findByRole('button', { name: 'Sign in with a passkey' })).toBeTruthy();
});

test('a canceled passkey prompt is explained, and nothing is sent', async () => {
  sessionStore.clear();
  ask.mockRejectedValue(saidNo('NotAllowedError'));
  const calls = fakeApi(around);
  renderAt('/auth');
  await press('Sign in with a passkey');
  const form = within(await screen.findByRole('form', { name: 'Sign in' }));
  expect((await form.findByRole('alert')).textContent).toMatch(/was canceled or took too long/);
  expect(sent(calls, 'POST', '/api/auth/login/passkey')).toEqual([]);
});

describe('passkeys in the browser’s autofill list', () => {
  interface Asked {
    mediation?: string;
    signal: AbortSignal;
  }
  /** Completes the pending autofill request. */
  let choose: () => void;
  const asked: Asked[] = [];
  beforeEach(() => {
    asked.length = 0;
    sessionStore.clear();
    vi.stubGlobal(
      'PublicKeyCredential',
      class {
        static isConditionalMediationAvailable = () => Promise.resolve(true);
      },
    );
    ask.mockImplementation((options) => {
      const one = options as unknown as Asked;
      asked.push(one);
      if (one.mediation !== 'conditional') return Promise.resolve(credential);
      return new Promise((resolve, reject) => {
        choose = () => resolve(credential);
        one.signal.addEventListener('abort', () => reject(saidNo('AbortError')));
      });
    });
  });
  const listed = () => waitFor(() => expect(asked.map(({ mediation }) => mediation)).toEqual(['conditional']));

  test('choosing a passkey signs in', async () => {
    const calls = fakeApi({ ...around, [SIGN]: sessionFixture() });
    renderAt('/auth?next=%2Fmy-tickets');
    const email = await screen.findByLabelText<HTMLInputElement>('Email');
    expect(email.getAttribute('autocomplete')).toBe('username webauthn');
    await listed();
    expect(screen.getByRole('button', { name: 'Sign in with a passkey' })).toBeTruthy();
    expect(sent(calls, 'POST', '/api/auth/login/passkey')).toEqual([]);
    choose();
    expect(await screen.findByText('Welcome back!')).toBeTruthy();
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/my-tickets'));
    expect(sent(calls, 'POST', '/api/auth/login/passkey')).toHaveLength(1);
  });

  test('a refused passkey shows the reason, and the browser’s list is requested again', async () => {
    fakeApi({ ...around, [SIGN]: () => problem(401, 'passkey-refused', { detail: 'Sign in with your password.' }) });
    renderAt('/auth');
    await listed();
    choose();
    const form = within(await screen.findByRole('form', { name: 'Sign in' }));
    expect((await form.findByRole('alert')).textContent).toBe('Sign in with your password.');
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]!.mediation).toBe('conditional');
  });

  test('pressing the button cancels the pending autofill request without an error', async () => {
    fakeApi({ ...around, [SIGN]: () => new Promise(() => undefined) });
    renderAt('/auth');
    await listed();
    await press('Sign in with a passkey');
    await waitFor(() => expect(asked).toHaveLength(2));
    expect([asked[0]!.signal.aborted, asked[1]!.mediation]).toEqual([true, undefined]);
    expect(asked[1]!.signal.aborted).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('leaving the form cancels the autofill request, and a failed autofill request shows no error', async () => {
    fakeApi(around);
    renderAt('/auth');
    await listed();
    await userEvent.click(screen.getByRole('tab', { name: 'Register' }));
    await waitFor(() => expect(asked[0]!.signal.aborted).toBe(true));
    const calls = fakeApi({ ...around, [`${SIGN}/options`]: () => problem(503, 'unavailable') });
    await userEvent.click(screen.getByRole('tab', { name: 'Login' }));
    await waitFor(() => expect(sent(calls, 'POST', '/api/auth/login/passkey/options')).not.toEqual([]));
    await screen.findByRole('button', { name: 'Sign in with a passkey' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test('the list is renewed before the challenge expires, but not while the page is hidden', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    try {
      fakeApi(around);
      renderAt('/auth');
      await listed();
      vi.advanceTimersByTime(3 * 60_000);
      expect(asked).toHaveLength(1);
      const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
      vi.advanceTimersByTime(2 * 60_000);
      expect(asked).toHaveLength(1);
      hidden.mockRestore();
      document.dispatchEvent(new Event('visibilitychange'));
      await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 10_000 });
      expect(asked[0]!.signal.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
