import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ModerationCase, OwnCase } from '@beltway/contracts/identity/moderation';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => sessionStore.set(sessionFixture({ role: 'admin' })));
afterEach(() => vi.unstubAllGlobals());

const at = '2026-11-20T12:00:00.000Z';
const found = (change: Partial<ModerationCase> = {}): ModerationCase => ({
  ...{ id: 'comment.17', kind: 'comment', contentId: '17', standing: 'shown', excerpt: 'Buy <b>now</b>' },
  ...{ path: '/event/4#comments', changedAt: at, state: 'open', openReports: 1, decisions: [], seen: 0 },
  author: { id: 7, name: 'Ann', isSuspended: false },
  reports: [{ reason: 'spam', note: 'Again him', at }],
  actions: ['keep', 'hide', 'remove', 'warn', 'suspend'],
  ...change,
});
const QUEUE = 'GET /api/moderation';
const ACT = 'POST /api/moderation/comment.17/actions';
const bodyOf = (calls: ReturnType<typeof fakeApi>, end: string) => calls.find(({ path }) => path.endsWith(end))?.body;
const card = async () => within(await screen.findByRole('article', { name: 'Comment 17' }));

test('an admin sees reported content as plain text, and keeps it', async () => {
  const calls = fakeApi({ [QUEUE]: { items: [found()], nextCursor: null }, [ACT]: found({ state: 'acted' }) });
  renderAt('/moderation');
  const shown = await card();
  expect(shown.getByText('Buy <b>now</b>')).toBeTruthy();
  expect(shown.getByText(/Again him/)).toBeTruthy();
  await userEvent.click(shown.getByRole('button', { name: 'Keep' }));
  await waitFor(() => expect(bodyOf(calls, '/actions')).toEqual({ action: 'keep', reason: 'spam', seen: 0 }));
});

test('an author is suspended for a week by keyboard, with a reason and a note', async () => {
  const calls = fakeApi({ [QUEUE]: { items: [found()], nextCursor: null }, [ACT]: found({ state: 'acted' }) });
  renderAt('/moderation');
  const shown = await card();
  shown.getByRole('button', { name: 'Suspend' }).focus();
  await userEvent.keyboard('{Enter}');
  const form = within(await shown.findByRole('form', { name: 'Suspend' }));
  expect(document.activeElement).toBe(form.getByLabelText('Reason'));
  await userEvent.selectOptions(form.getByLabelText('Reason'), 'hate');
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('Enough.');
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(bodyOf(calls, '/actions')).toEqual({ action: 'suspend', reason: 'hate', seen: 0, days: 7, note: 'Enough.' }),
  );
});

test('a concurrent decision of another admin is shown', async () => {
  fakeApi({ [QUEUE]: { items: [found()], nextCursor: null }, [ACT]: problem(409, 'acted-meanwhile') });
  renderAt('/moderation');
  await userEvent.click((await card()).getByRole('button', { name: 'Keep' }));
  expect(await screen.findByText('Not changed')).toBeTruthy();
});

test('an appeal is shown and decided; until the decision, other actions are unavailable', async () => {
  const appeal = { text: 'It was a joke.', at, outcome: null };
  const decision = { number: 1, action: 'hide', reason: 'spam', note: null, at, until: null } as const;
  const decisions: ModerationCase['decisions'] = [{ ...decision, appeal, admin: 'Ada' }];
  const appealed = found({ state: 'appealed', standing: 'hidden', decisions, actions: [], seen: 1 });
  const calls = fakeApi({
    [QUEUE]: { items: [appealed], nextCursor: null },
    'POST /api/moderation/comment.17/appeal/decision': found(),
  });
  renderAt('/moderation');
  const shown = await card();
  expect(shown.getByText('It was a joke.')).toBeTruthy();
  expect(shown.queryByRole('button', { name: 'Keep' })).toBeNull();
  await userEvent.click(shown.getByRole('button', { name: 'Reverse the decision' }));
  await waitFor(() => expect(bodyOf(calls, '/decision')).toEqual({ outcome: 'reversed' }));
});

test('the queue is for admins', async () => {
  sessionStore.set(sessionFixture({ role: 'user' }));
  fakeApi({ [QUEUE]: problem(403, 'forbidden') });
  renderAt('/moderation');
  expect(await screen.findByRole('heading', { name: 'For admins only' })).toBeTruthy();
});

test('an author sees the decision and appeals', async () => {
  sessionStore.set(sessionFixture({ role: 'user' }));
  const own: OwnCase = {
    ...{ id: 'comment.17', kind: 'comment', contentId: '17', standing: 'hidden', excerpt: 'Buy now', path: '/' },
    ...{ changedAt: at, appealUntil: '2026-12-20T12:00:00.000Z' },
    decisions: [{ number: 1, action: 'hide', reason: 'spam', note: 'No ads here.', at, until: null, appeal: null }],
  };
  const calls = fakeApi({
    'GET /api/moderation/mine': { items: [own], nextCursor: null },
    'POST /api/moderation/comment.17/appeal': answer(204, ''),
  });
  renderAt('/moderation/mine');
  const shown = within(await screen.findByRole('article', { name: 'Comment: Buy now' }));
  expect(shown.getByText('No ads here.')).toBeTruthy();
  await userEvent.click(shown.getByRole('button', { name: 'Ask for a review' }));
  await userEvent.click(shown.getByRole('button', { name: 'Ask for a review' }));
  expect(await shown.findByText('Add a reason')).toBeTruthy();
  await userEvent.type(shown.getByLabelText('Why is the decision wrong?'), 'It was a joke.');
  await userEvent.click(shown.getByRole('button', { name: 'Ask for a review' }));
  await waitFor(() => expect(bodyOf(calls, '/appeal')).toEqual({ text: 'It was a joke.' }));
});

test('a suspended author appeals through the mailed link', async () => {
  sessionStore.clear();
  const calls = fakeApi({ 'POST /api/moderation/comment.17/appeal': answer(204, '') });
  renderAt('/moderation/appeal#comment.17~a.1.zz.digest');
  await userEvent.type(await screen.findByLabelText('Why is the decision wrong?'), 'I was hacked.');
  await userEvent.click(screen.getByRole('button', { name: 'Ask for a review' }));
  expect(await screen.findByRole('heading', { name: 'We’ll review it' })).toBeTruthy();
  expect(bodyOf(calls, '/appeal')).toEqual({ text: 'I was hacked.', token: 'a.1.zz.digest' });
});

test('without a mailed link the page links to the decisions', async () => {
  fakeApi({});
  renderAt('/moderation/appeal');
  const link = await screen.findByRole('link', { name: 'Moderation decisions' });
  expect(link.getAttribute('href')).toBe('/moderation/mine');
});
