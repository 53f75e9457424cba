import type { Referral, ReferralsPage } from '@beltway/contracts/identity/referrals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { configFixture } from '../../testing/payments.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => {
  sessionStorage.clear();
  sessionStore.set(sessionFixture());
});
afterEach(() => vi.unstubAllGlobals());

const CODE = 'K7Q29XWZ';
const link = `https://beltway.test/auth?tab=register&ref=${CODE}`;
const referral = (change: Partial<Referral> = {}): Referral => ({
  ...{ person: null, status: 'pending', rewardEarned: 0, rewardedOn: null, createdAt: '2026-11-20T17:00:00.000Z' },
  ...change,
});
const page = (change: Partial<ReferralsPage> = {}): ReferralsPage => ({
  ...{ code: CODE, link, reward: 50, rewardedThisMonth: 1, maxPerMonth: 10, items: [], nextCursor: null },
  ...change,
});

test('shows link and code, and the referrals with their status, page by page', async () => {
  fakeApi({
    'GET /api/referrals': page({
      items: [
        referral({ person: { userId: 9, name: 'Bob' }, status: 'rewarded', rewardEarned: 50 }),
        referral({ status: 'over-limit' }),
      ],
      nextCursor: 'next',
    }),
    'GET /api/referrals?cursor=next': page({ items: [referral()] }),
  });
  renderAt('/community/referrals');
  expect((await screen.findByLabelText<HTMLInputElement>('Your link', { selector: 'input' })).value).toBe(link);
  expect(screen.getByText(CODE).parentElement!.textContent).toBe(`Your code: ${CODE}`);
  expect(screen.getByText('This month: 1 of 10 rewards.')).toBeTruthy();
  const rows = () => within(screen.getByRole('list', { name: 'People who signed up' })).getAllByRole('listitem');
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    'BobSigned up 11/20/2026+50 points',
    'Someone with a private profileSigned up 11/20/2026No points: you had 10 that month',
  ]);
  expect(screen.getByRole('link', { name: 'Bob' }).getAttribute('href')).toBe('/u/9');
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(rows().at(-1)!.textContent).toContain('No event yet'));
});

test('copies the link, and shows an explanation when the browser refuses', async () => {
  const user = userEvent.setup();
  fakeApi({ 'GET /api/referrals': page() });
  renderAt('/community/referrals');
  await user.click(await screen.findByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText('Link copied.')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(link);
  expect(screen.getByText('No one yet. Share your link to get started.')).toBeTruthy();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('refused'));
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await screen.findByText(/Select the link and copy it/)).toBeTruthy();
});

test('a signed-out visitor signs in first; a loading error can be retried', async () => {
  let isBroken = true;
  fakeApi({ 'GET /api/referrals': () => (isBroken ? problem(500, 'broken') : page()) });
  const { unmount } = renderAt('/community/referrals');
  expect(await screen.findByText('Couldn’t load referrals')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(CODE)).toBeTruthy();
  unmount();
  sessionStore.clear();
  renderAt('/community/referrals');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fcommunity%2Freferrals'));
});

describe('registering by a link', () => {
  const around = {
    'GET /api/config': configFixture(),
    'GET /api/events': [],
    'GET /api/events/featured': [],
    'POST /api/auth/register': sessionFixture(),
  };
  beforeEach(() => sessionStore.clear());
  async function register() {
    await userEvent.type(await screen.findByLabelText('Name'), 'Ann');
    await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com');
    await userEvent.type(screen.getByLabelText('Password'), 'secret1');
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
    await screen.findByText('Welcome to Beltway!');
  }
  const sent = (calls: ReturnType<typeof fakeApi>) =>
    calls.find(({ path }) => path === '/api/auth/register')?.body as Record<string, unknown>;

  test('shows the code of the link and sends it', async () => {
    const calls = fakeApi({ ...around, [`GET /api/referral-codes/${CODE}`]: { code: CODE } });
    renderAt(`/auth?tab=register&ref=${CODE.toLowerCase()}`);
    expect(await screen.findByText(/You were invited with code K7Q29XWZ\./)).toBeTruthy();
    await register();
    expect(sent(calls)['referralCode']).toBe(CODE);
  });

  test('shows that a code is unknown before registration, and registers without it', async () => {
    const calls = fakeApi({ ...around, [`GET /api/referral-codes/${CODE}`]: () => problem(404, 'not-found') });
    renderAt(`/auth?tab=register&ref=${CODE}`);
    expect(await screen.findByText(/We don’t recognize this referral code\./)).toBeTruthy();
    await register();
    expect(sent(calls)).not.toHaveProperty('referralCode');
  });

  test('an invalid code is neither sent nor shown', async () => {
    const calls = fakeApi(around);
    renderAt(`/auth?tab=register&ref=${encodeURIComponent('Call 555-0100 to win')}`);
    expect(await screen.findByText(/don’t recognize/)).toBeTruthy();
    expect(screen.getByRole('form', { name: 'Register' }).textContent).not.toContain('555');
    expect(calls.some(({ path }) => path.startsWith('/api/referral-codes'))).toBe(false);
  });

  test('the code can be left out, and is sent unchecked when the lookup fails', async () => {
    const calls = fakeApi({ ...around, [`GET /api/referral-codes/${CODE}`]: () => problem(429, 'too-many') });
    const { unmount } = renderAt(`/auth?tab=register&ref=${CODE}`);
    await register();
    expect(sent(calls)['referralCode']).toBe(CODE);
    unmount();
    sessionStore.clear();
    const again = fakeApi({ ...around, [`GET /api/referral-codes/${CODE}`]: { code: CODE } });
    renderAt(`/auth?tab=register&ref=${CODE}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Remove the code' }));
    expect(document.activeElement?.textContent).toBe('You’re signing up without a referral code.');
    await register();
    expect(sent(again)).not.toHaveProperty('referralCode');
  });
});

describe('for admins', () => {
  const FLAGGED = 'GET /api/referrals/flagged';
  test('lists suspicious referrals with their indications', async () => {
    sessionStore.set(sessionFixture({ role: 'admin' }));
    fakeApi({
      [FLAGGED]: {
        items: [
          {
            ...{ referrer: { userId: 3, name: 'Ann' }, referred: { userId: 9, name: 'Bob' }, status: 'rewarded' },
            ...{ hints: ['same-network', 'same-device'], createdAt: '2026-11-20T17:00:00.000Z' },
          },
        ],
        nextCursor: null,
      },
    });
    renderAt('/admin/referrals');
    const list = within(await screen.findByRole('list', { name: 'Flagged referrals' }));
    expect(list.getByRole('listitem').textContent).toBe(
      'Ann (account 3) referred Bob (account 9)Same networkSame deviceSigned up 11/20/2026, rewarded',
    );
  });
  test('others see that the page is for admins; an empty list shows an empty state', async () => {
    fakeApi({ [FLAGGED]: () => problem(403, 'forbidden') });
    const { unmount } = renderAt('/admin/referrals');
    expect(await screen.findByRole('heading', { name: 'For admins only' })).toBeTruthy();
    unmount();
    fakeApi({ [FLAGGED]: { items: [], nextCursor: null } });
    renderAt('/admin/referrals');
    expect(await screen.findByText('All caught up')).toBeTruthy();
  });
});
