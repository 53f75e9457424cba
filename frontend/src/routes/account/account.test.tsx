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

/** Opens the dialog and types the password. */
async function openDialog(answers: Parameters<typeof fakeApi>[0], password = 'my own password') {
  const calls = fakeApi(answers);
  renderAt('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete my account' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
  if (password) await userEvent.type(within(dialog).getByLabelText('Your password'), password);
  const confirm = () => userEvent.click(within(dialog).getByRole('button', { name: 'Delete my account' }));
  return { dialog, confirm, erased: () => calls.filter(({ method }) => method === 'DELETE') };
}

test('shows the signed-in account', async () => {
  fakeApi({});
  const { user } = sessionFixture({ role: 'user' });
  renderAt('/account');
  expect(await screen.findByText(user.email)).toBeTruthy();
  expect(screen.getByText('Event Explorer')).toBeTruthy();
});

test('the account type is changed, and the next session has the new type', async () => {
  const business = sessionFixture({ role: 'business' });
  const calls = fakeApi({
    ...ME,
    'PATCH /api/users/3/role': business.user,
    'POST /api/auth/refresh': { ...business, token: 'token-2' },
  });
  renderAt('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Change type' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change your account type' }));
  await userEvent.click(dialog.getByRole('radio', { name: 'Business Owner' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ role: 'business' });
  expect(screen.getByText('Business Owner')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Dashboard' })).toBeTruthy();
});

test('admins do not change their type', async () => {
  sessionStore.set(sessionFixture({ role: 'admin' }));
  fakeApi(ME);
  renderAt('/account');
  expect(await screen.findByText('ann@example.com')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Change type' })).toBeNull();
});

test('the data is saved as a file, with the token in a header, not in the URL', async () => {
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
  expect((await screen.findByText('Your data was downloaded.')).getAttribute('role')).toBe('status');
});

test('a failed export shows an error and can be retried', async () => {
  fakeApi({ ...ME, [EXPORT]: () => problem(503, 'unavailable') });
  renderAt('/account');
  const button = await screen.findByRole('button', { name: 'Download my data' });
  await userEvent.click(button);
  expect((await screen.findByRole('alert')).textContent).toBe('Couldn’t create the file. Please try again.');
  expect(button).toHaveProperty('disabled', false);
});

test('the consequences are listed before the password, and without a password nothing is sent', async () => {
  const { dialog, confirm, erased } = await openDialog({}, '');
  expect(dialog.textContent).toContain('This can’t be undone');
  expect(dialog.textContent).toContain('Your tickets stay valid, but they leave My Tickets');
  expect(dialog.textContent).toContain('Your upcoming events are canceled');
  await confirm();
  expect(await within(dialog).findByText('Please enter your password')).toBeTruthy();
  expect(erased()).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep my account' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a deleted account is signed out, and the page confirms it', async () => {
  const { confirm, erased } = await openDialog({ [ERASE]: () => answer(200) });
  await confirm();
  expect(await screen.findByText('Your account was deleted')).toBeTruthy();
  expect(erased().map(({ body }) => body)).toEqual([{ password: 'my own password' }]);
  expect(sessionStore.get().token).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Account' })).toBeNull();
});

test('a wrong password is shown at its field and keeps the session', async () => {
  const errors = [{ field: 'password', message: 'That’s not your current password.' }];
  const { dialog, confirm } = await openDialog({ [ERASE]: () => problem(400, 'invalid', { errors }) });
  await confirm();
  expect(await within(dialog).findByText('That’s not your current password.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Your password')));
  expect(sessionStore.get().token).not.toBeNull();
});

test('the reason why an account cannot be deleted is shown', async () => {
  const detail = 'People hold tickets for your upcoming events: Go-Go Night. Cancel them, or wait until they’re over.';
  const { dialog, confirm } = await openDialog({ [ERASE]: () => problem(409, 'events-to-come', { detail }) });
  await confirm();
  expect((await within(dialog).findByRole('alert')).textContent).toBe(detail);
  expect(sessionStore.get().token).not.toBeNull();
});

test('privacy: profile visibility can be set here too, and a loading error can be retried', async () => {
  let found: () => unknown = () => problem(503, 'unavailable', {}, { 'retry-after': '60' });
  const calls = fakeApi({
    ...ME,
    [STATS_CALL]: () => found(),
    'PATCH /api/users/me/engagement': { isVisible: true },
  });
  renderAt('/account');
  const privacy = within(await screen.findByRole('region', { name: 'Privacy' }));
  expect(privacy.getByRole('link', { name: 'Your points and badges' }).getAttribute('href')).toBe(`/u/${STATS.userId}`);
  expect(await privacy.findByText('Couldn’t load your privacy setting')).toBeTruthy();
  found = () => STATS;
  await userEvent.click(privacy.getByRole('button', { name: 'Retry' }));
  const choice = await privacy.findByRole('switch', { name: 'Show my profile' });
  expect(choice.getAttribute('aria-checked')).toBe('false');
  found = () => ({ ...STATS, isVisible: true });
  await userEvent.click(choice);
  await waitFor(() => expect(choice.getAttribute('aria-checked')).toBe('true'));
  expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([{ isVisible: true }]);
});
