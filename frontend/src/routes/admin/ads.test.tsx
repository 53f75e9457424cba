import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { AD_ID, adContent, runningAd, waitingAd } from '../../testing/ads.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => sessionStore.set(sessionFixture({ role: 'admin' })));

const LIST = 'GET /api/admin/ads';
const REVIEW = `POST /api/admin/ads/${AD_ID}/review`;
const page = (items: unknown[], nextCursor: string | null = null) => ({ items, nextCursor });
const card = () => screen.findByRole('article', { name: 'Ad of The Wharf' });

test('shows a submission as plain text with its full link, and approves exactly that submission', async () => {
  let isApproved = false;
  const title = '<script>alert(1)</script>';
  const calls = fakeApi({
    [LIST]: () => page(isApproved ? [] : [waitingAd({ submission: 3, sent: { ...adContent, title } })]),
    [REVIEW]: () => ((isApproved = true), runningAd()),
  });
  renderAt('/admin/ads');
  const ad = within(await card());
  expect(ad.getByText(title)).toBeTruthy();
  expect((await card()).querySelector('script')).toBeNull();
  const link = ad.getByRole<HTMLAnchorElement>('link', { name: adContent.linkUrl });
  expect([link.href, link.rel]).toEqual([adContent.linkUrl, 'noopener noreferrer nofollow']);
  await userEvent.click(ad.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('All caught up')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ action: 'approve', submission: 3 });
});

test('a rejection requires a reason', async () => {
  const calls = fakeApi({ [LIST]: page([waitingAd()]), [REVIEW]: waitingAd({ state: 'rejected' }) });
  renderAt('/admin/ads');
  const ad = within(await card());
  await userEvent.click(ad.getByRole('button', { name: 'Reject' }));
  await userEvent.click(ad.getByRole('button', { name: 'Reject' }));
  expect(await ad.findByText('Add a reason so the buyer can fix it')).toBeTruthy();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.type(ad.getByLabelText('Reason'), 'Not your brand.{Enter}Please ask its owner.');
  await userEvent.click(ad.getByRole('button', { name: 'Reject' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ action: 'reject', submission: 1 },
      reason: 'Not your brand. Please ask its owner.',
    }),
  );
});

test('refuses an ad permanently with a reason, if it was never shown', async () => {
  const calls = fakeApi({
    [`${LIST}?status=waiting`]: page([waitingAd()]),
    [`${LIST}?status=running`]: page([runningAd()]),
    [REVIEW]: waitingAd({ state: 'ended', endedAt: '2030-07-02T12:00:00.000Z', endReason: 'refused' }),
  });
  renderAt('/admin/ads');
  const ad = within(await card());
  await userEvent.click(ad.getByRole('button', { name: 'Reject and refund' }));
  await userEvent.type(ad.getByLabelText('Reason'), 'We show no such ads.');
  await userEvent.click(ad.getByRole('button', { name: 'Reject and refund' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ action: 'refuse', submission: 1, reason: 'We show no such ads.' },
    }),
  );
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Running');
  await screen.findByRole('button', { name: 'Take off the page' });
  expect(screen.queryByRole('button', { name: 'Reject and refund' })).toBeNull();
});

test('rejects a running ad while a change of the ad is pending', async () => {
  const calls = fakeApi({
    [`${LIST}?status=waiting`]: page([]),
    [`${LIST}?status=running`]: page([runningAd({ submission: 2, isWaiting: true })]),
    [REVIEW]: runningAd(),
  });
  renderAt('/admin/ads');
  await screen.findByText('All caught up');
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Running');
  const shown = within(within(await card()).getByRole('region', { name: 'On the page' }));
  await userEvent.click(shown.getByRole('button', { name: 'Take off the page' }));
  await userEvent.type(shown.getByLabelText('Reason'), 'It leads elsewhere now');
  await userEvent.click(shown.getByRole('button', { name: 'Take off the page' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ action: 'reject', submission: 1, reason: 'It leads elsewhere now' },
    }),
  );
});

test('a submission changed in the meantime is announced and reloaded', async () => {
  let submission = 1;
  fakeApi({
    [LIST]: () => page([waitingAd({ submission, sent: { ...adContent, title: `Try ${submission}` } })]),
    [REVIEW]: () => ((submission = 2), problem(409, 'changed-meanwhile', { detail: 'Please look at it again.' })),
  });
  renderAt('/admin/ads');
  await userEvent.click(within(await card()).getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText('Please look at it again.')).toBeTruthy();
  expect(await screen.findByText('Try 2')).toBeTruthy();
});

test('is for admins only', async () => {
  fakeApi({ [LIST]: () => problem(403, 'forbidden') });
  renderAt('/admin/ads');
  expect(await screen.findByText('For admins only')).toBeTruthy();
});
