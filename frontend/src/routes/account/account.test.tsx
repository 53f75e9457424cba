import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MailedKind, NotificationKind } from '@beltway/contracts/realtime/notifications';
import type { UserStats } from '@beltway/contracts/identity/points';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => sessionStore.set(sessionFixture({ role: 'user' })));
afterEach(() => vi.restoreAllMocks());

const ERASE = 'DELETE /api/users/me';
const EXPORT = 'GET /api/users/me/export';
const STATS: UserStats = {
  ...{ userId: sessionFixture().user.id, name: 'Ann', totalPoints: 0, level: 1, levelFrom: 0, nextLevelAt: 100 },
  ...{ eventsAttended: 0, photosShared: 0, connectionsMade: 0, streak: 0, weeklyPoints: 0, isVisible: false },
  referralCode: 'K7Q29XWZ',
};
const STATS_CALL = `GET /api/users/${STATS.userId}/stats`;
const ME = {
  [STATS_CALL]: STATS,
  'GET /api/auth/me': () => sessionFixture({ role: 'user' }).user,
  'GET /api/me/notification-preferences': {
    page: Object.fromEntries(NotificationKind.options.map((kind) => [kind, true])),
    mail: Object.fromEntries(MailedKind.options.map((kind) => [kind, false])),
    push: Object.fromEntries(NotificationKind.options.map((kind) => [kind, true])),
    isDaily: false,
  },
  'GET /api/auth/email': { email: 'ann@example.com', isVerified: true, pending: null },
  'GET /api/auth/sessions': { items: [] },
  'GET /api/auth/passkeys': { items: [] },
  'GET /api/me/push-subscriptions': { publicKey: null, endpoints: [] },
  'GET /api/me/saved-searches': { items: [] },
  'GET /api/blocks': { items: [], nextCursor: null },
};

/** The dialog, with what was typed into its field. */
async function openDialog(answers: Parameters<typeof fakeApi>[0], password = 'my own password') {
  const calls = fakeApi(answers);
  renderAt('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete my account' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
  if (password) await userEvent.type(within(dialog).getByLabelText('Your password'), password);
  const confirm = () => userEvent.click(within(dialog).getByRole('button', { name: 'Delete my account' }));
  return { dialog, confirm, erased: () => calls.filter(({ method }) => method === 'DELETE') };
}

test('says who is signed in, and leads strangers to sign in and back', async () => {
  fakeApi({});
  const { user } = sessionFixture({ role: 'user' });
  renderAt('/account');
  expect(await screen.findByText(user.email)).toBeTruthy();
  expect(screen.getByText('Event Explorer')).toBeTruthy();
});

test('the data is saved as a file, by the token and not by an address', async () => {
  const made: Blob[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => (made.push(blob), 'blob:x'),
      revokeObjectURL: () => undefined,
    }),
  );
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const calls = fakeApi({ ...ME, [EXPORT]: { account: {} } });
  renderAt('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Download my data' }));
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  expect(made).toHaveLength(1);
  const asked = calls.find(({ path }) => path === '/api/users/me/export')!;
  expect(asked.headers.get('authorization')).toMatch(/^Bearer /);
  expect((await screen.findByText('Your data is downloaded.')).getAttribute('role')).toBe('status');
});

test('a file that cannot be made is said, and can be asked for again', async () => {
  fakeApi({ ...ME, [EXPORT]: () => problem(503, 'unavailable') });
  renderAt('/account');
  const button = await screen.findByRole('button', { name: 'Download my data' });
  await userEvent.click(button);
  expect((await screen.findByRole('alert')).textContent).toBe('The file could not be made. Please try again.');
  expect(button).toHaveProperty('disabled', false);
});

test('the consequences stand before the password, and without one nothing is sent', async () => {
  const { dialog, confirm, erased } = await openDialog({}, '');
  expect(dialog.textContent).toContain('This cannot be undone');
  expect(dialog.textContent).toContain('Tickets stay valid, but leave My Tickets');
  expect(dialog.textContent).toContain('Events of yours that are still to come are canceled');
  await confirm();
  expect(await within(dialog).findByText('Please enter your password')).toBeTruthy();
  expect(erased()).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep my account' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a deleted account is signed out here, and the page says so', async () => {
  const { confirm, erased } = await openDialog({ [ERASE]: () => answer(200) });
  await confirm();
  expect(await screen.findByText('Your account is deleted')).toBeTruthy();
  expect(erased().map(({ body }) => body)).toEqual([{ password: 'my own password' }]);
  expect(sessionStore.get().token).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Account' })).toBeNull();
});

test('a wrong password stands at its field and keeps the session', async () => {
  const errors = [{ field: 'password', message: 'This is not your password.' }];
  const { dialog, confirm } = await openDialog({ [ERASE]: () => problem(400, 'invalid', { errors }) });
  await confirm();
  expect(await within(dialog).findByText('This is not your password.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Your password')));
  expect(sessionStore.get().token).not.toBeNull();
});

test('why an account cannot be deleted now is said in words', async () => {
  const detail =
    'People have tickets for events that you organize: Go-Go Night. Cancel them, or wait until they are over.';
  const { dialog, confirm } = await openDialog({ [ERASE]: () => problem(409, 'events-to-come', { detail }) });
  await confirm();
  expect((await within(dialog).findByRole('alert')).textContent).toBe(detail);
  expect(sessionStore.get().token).not.toBeNull();
});

test('privacy: whether others see one’s profile is chosen here too, and what cannot be loaded is said', async () => {
  let found: () => unknown = () => problem(503, 'unavailable', {}, { 'retry-after': '60' });
  const calls = fakeApi({
    ...ME,
    [STATS_CALL]: () => found(),
    'PATCH /api/users/me/engagement': { isVisible: true },
  });
  renderAt('/account');
  const privacy = within(await screen.findByRole('region', { name: 'Privacy' }));
  expect(privacy.getByRole('link', { name: 'Your points and badges' }).getAttribute('href')).toBe(`/u/${STATS.userId}`);
  expect(await privacy.findByText('Whether others see you could not be loaded', {}, { timeout: 5_000 })).toBeTruthy();
  found = () => STATS;
  await userEvent.click(privacy.getByRole('button', { name: 'Retry' }));
  const choice = await privacy.findByRole('switch', { name: 'Show my profile' });
  expect(choice.getAttribute('aria-checked')).toBe('false');
  found = () => ({ ...STATS, isVisible: true });
  await userEvent.click(choice);
  await waitFor(() => expect(choice.getAttribute('aria-checked')).toBe('true'));
  expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([{ isVisible: true }]);
});
