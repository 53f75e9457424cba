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
/** What a browser answers, whichever of both it was asked for. */
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

test('a passkey is added with a name and the password, and stands in the list', async () => {
  const added = passkey({ name: 'My phone' });
  const { calls, passkeys } = await section({
    [LIST]: { items: [] },
    [OPTIONS]: toAdd,
    [ADD]: () => answer(201, added),
  });
  const dialog = await fillIn(passkeys, '');
  expect(await dialog.findByText('Please give the passkey a name')).toBeTruthy();
  expect(sent(calls, 'POST', '/api/auth/passkeys/options')).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Name'), 'My phone');
  await press('Continue', dialog);
  expect(await passkeys.findByText('My phone')).toBeTruthy();
  expect(await screen.findByText('Passkey added')).toBeTruthy();
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

test('a wrong password stands at its field, and the device is not asked', async () => {
  const errors = [{ field: 'password', message: 'This is not your password.' }];
  const { passkeys } = await section({ [LIST]: { items: [] }, [OPTIONS]: () => problem(400, 'invalid', { errors }) });
  const dialog = await fillIn(passkeys);
  expect(await dialog.findByText('This is not your password.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Your password')));
  expect(ask).not.toHaveBeenCalled();
});

test.each([
  ['NotAllowedError', /it was canceled, or took too long/],
  ['InvalidStateError', /has a passkey of your account already/],
  ['ConstraintError', /needs a screen lock/],
  ['SecurityError', /do not work at this address/],
])('%s of the browser is said in words, and nothing is sent', async (name, words) => {
  ask.mockRejectedValue(saidNo(name));
  const { calls, passkeys } = await section({ [LIST]: { items: [] }, [OPTIONS]: toAdd });
  const dialog = await fillIn(passkeys);
  expect((await dialog.findByRole('alert')).textContent).toMatch(words);
  expect(sent(calls, 'POST', '/api/auth/passkeys')).toEqual([]);
});

test('a passkey gets another name', async () => {
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

test('a passkey is removed after a question; the focus goes to the heading above', async () => {
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

test('with twenty there is no button to add one', async () => {
  const items = Array.from({ length: 20 }, (_, n) =>
    passkey({ id: `0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f${10 + n}`, name: `Key ${n}` }),
  );
  const { passkeys } = await section({ [LIST]: { items } });
  expect(await passkeys.findByText(/You have 20 passkeys/)).toBeTruthy();
  expect(passkeys.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a browser without passkeys shows the list alone', async () => {
  vi.unstubAllGlobals();
  const { passkeys } = await section({ [LIST]: { items: [passkey()] } });
  expect(await passkeys.findByText('This browser cannot add a passkey here.')).toBeTruthy();
  expect(passkeys.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a browser without passkeys does not offer to sign in with one', async () => {
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

test('a passkey signs in without address and password, and leads to where one came from', async () => {
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
])('a refusal at the sign-in is said, and the page stays', async (refusal, words) => {
  sessionStore.clear();
  fakeApi({ ...around, [SIGN]: refusal });
  renderAt('/auth');
  await press('Sign in with a passkey');
  const form = within(await screen.findByRole('form', { name: 'Sign in' }));
  expect((await form.findByRole('alert')).textContent).toMatch(words);
  expect(screen.getByTestId('address').textContent).toBe('/auth');
  expect(await screen.findByRole('button', { name: 'Sign in with a passkey' })).toBeTruthy();
});

test('who changes their mind at the sign-in is told that nothing happened', async () => {
  sessionStore.clear();
  ask.mockRejectedValue(saidNo('NotAllowedError'));
  const calls = fakeApi(around);
  renderAt('/auth');
  await press('Sign in with a passkey');
  const form = within(await screen.findByRole('form', { name: 'Sign in' }));
  expect((await form.findByRole('alert')).textContent).toMatch(/it was canceled, or took too long/);
  expect(sent(calls, 'POST', '/api/auth/login/passkey')).toEqual([]);
});

describe('where the browser lists passkeys among the addresses to fill in', () => {
  interface Asked {
    mediation?: string;
    signal: AbortSignal;
  }
  /** Of the list: waits for a choice, or for its end. */
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

  test('one that is chosen there signs in', async () => {
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

  test('one that is refused is said, and they are listed anew', async () => {
    fakeApi({ ...around, [SIGN]: () => problem(401, 'passkey-refused', { detail: 'Sign in with your password.' }) });
    renderAt('/auth');
    await listed();
    choose();
    const form = within(await screen.findByRole('form', { name: 'Sign in' }));
    expect((await form.findByRole('alert')).textContent).toBe('Sign in with your password.');
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]!.mediation).toBe('conditional');
  });

  test('the button ends the list, without a word of it', async () => {
    fakeApi({ ...around, [SIGN]: () => new Promise(() => undefined) });
    renderAt('/auth');
    await listed();
    await press('Sign in with a passkey');
    await waitFor(() => expect(asked).toHaveLength(2));
    expect([asked[0]!.signal.aborted, asked[1]!.mediation]).toEqual([true, undefined]);
    expect(asked[1]!.signal.aborted).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('it ends with the form, and what fails of it is not told', async () => {
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

  test('they are listed anew before what is to be signed is too old, not while the page is hidden', async () => {
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
      await vi.waitFor(() => expect(asked).toHaveLength(2));
      expect(asked[0]!.signal.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
