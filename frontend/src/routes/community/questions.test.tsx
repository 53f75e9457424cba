import type { Question } from '@beltway/contracts/realtime/community';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => {
  sessionStorage.clear();
  sessionStore.set(sessionFixture());
});
afterEach(() => vi.unstubAllGlobals());

const BOARD = 'GET /api/message-board';
const question = (id: number, change: Partial<Question> = {}): Question => ({
  ...{ id, userId: 9, userName: 'Bob', question: `Asked ${id}`, category: 'general', location: null },
  ...{ eventId: null, eventTitle: null, isAnswered: false, isPinned: false, likes: 2, answers: 1 },
  ...{ createdAt: '2026-11-20T12:00:00.000Z', editedAt: null, isLiked: false, isFollowed: false, isOwn: false },
  ...{ mayPin: false, mayRemove: false },
  ...change,
});
const page = (items: Question[], nextCursor: string | null = null) => ({ items, nextCursor });
const sent = (calls: ReturnType<typeof fakeApi>, method: string, path: string) =>
  calls.filter((call) => call.method === method && call.path === path);
const address = () => screen.getByTestId('address').textContent;
const choose = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'More options for the question by Bob' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};

test('shows questions with topic and state, each with a link', async () => {
  const location = { id: 'bethesda-md', name: 'Bethesda', state: 'MD' } as const;
  fakeApi({
    [`${BOARD}?eventId=41`]: page([
      question(2, { location, eventId: 41, eventTitle: 'Go-Go Night', isPinned: true, isAnswered: true, answers: 3 }),
    ]),
  });
  renderAt('/community/questions?event=41');
  const card = within(await screen.findByRole('article', { name: 'Question by Bob' }));
  for (const text of ['Pinned', 'Answered', 'General']) expect(card.getByText(text)).toBeTruthy();
  const links = card.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Asked 2', '/community/questions/2'],
    ['General', '/community/questions?category=general'],
    ['Go-Go Night', '/event/41'],
    ['Bethesda, MD', '/community/questions?place=bethesda-md'],
    ['3 answers to the question by Bob', '/community/questions/2'],
  ]);
});

test('a question pinned to its event is neither marked nor moved up on the whole board', async () => {
  fakeApi({ [BOARD]: page([question(3, { isPinned: true }), question(2, { isPinned: true, eventId: 41 })]) });
  renderAt('/community/questions');
  const marked = (await screen.findAllByRole('article')).map((card) => within(card).queryByText('Pinned') !== null);
  expect(marked).toEqual([true, false]);
});

test('shows an empty state, and an error with a retry', async () => {
  let isBroken = true;
  fakeApi({ [BOARD]: () => (isBroken ? problem(500, 'broken') : page([])) });
  renderAt('/community/questions');
  await screen.findByText('Couldn’t load questions');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No questions yet')).toBeTruthy();
});

test('search and filters are in the URL, and more questions load page by page', async () => {
  fakeApi({
    [BOARD]: page([question(9)], '0-9'),
    [`${BOARD}?cursor=0-9`]: page([question(8)]),
    [`${BOARD}?q=parking`]: page([question(7)]),
    [`${BOARD}?q=parking&category=getting-there&location=bethesda-md&answered=false`]: page([]),
  });
  renderAt('/community/questions');
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Asked 8')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Search questions'), ' parking {Enter}');
  expect(await screen.findByText('Asked 7')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Getting there');
  await userEvent.selectOptions(screen.getByLabelText('Location'), 'Bethesda');
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Unanswered');
  expect(await screen.findByText('No matching questions')).toBeTruthy();
  expect(address()).toBe('/community/questions?q=parking&category=getting-there&place=bethesda-md&answered=false');
});

test('asks about the current event; a limit shows the server’s reason, and a retry creates no second question', async () => {
  const detail = 'You’re posting too fast. Please wait a minute.';
  let isLimited = true;
  const calls = fakeApi({
    [`${BOARD}?eventId=41`]: page([]),
    'GET /api/events/41': eventFixture({ id: 41, title: 'Go-Go Night' }),
    'GET /api/events/all': [eventFixture({ id: 41, title: 'Go-Go Night' })],
    'POST /api/message-board': () =>
      isLimited ? problem(429, 'too-many-requests', { detail }) : answer(201, question(77, { isOwn: true })),
  });
  renderAt('/community/questions?event=41');
  expect((await screen.findByRole('link', { name: 'Go-Go Night' })).getAttribute('href')).toBe('/event/41');
  await userEvent.click(screen.getByRole('button', { name: 'Ask a question' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ask a question' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Ask' }));
  expect(await dialog.findByText('Write something')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText('What do you want to know?'), 'Is there a coat check?');
  await userEvent.selectOptions(dialog.getByLabelText('Category'), 'Venues');
  await userEvent.click(dialog.getByRole('button', { name: 'Ask' }));
  expect((await dialog.findByRole('alert')).textContent).toBe(detail);
  isLimited = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Ask' }));
  const seen = await screen.findByRole('link', { name: 'See it' });
  expect(seen.getAttribute('href')).toBe('/community/questions/77');
  const [first, second] = sent(calls, 'POST', '/api/message-board');
  expect(second?.body).toEqual({ question: 'Is there a coat check?', category: 'venues', eventId: 41 });
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
});

test('moderators pin and hide a question; any account can report a question', async () => {
  let shown = question(5, { mayPin: true, mayRemove: true });
  const calls = fakeApi({
    [BOARD]: () => page([shown]),
    'PATCH /api/message-board/5': () => {
      shown = { ...shown, isPinned: true };
      return answer(200, shown);
    },
    'DELETE /api/message-board/5': answer(204, ''),
    'POST /api/reports': answer(204, ''),
  });
  renderAt('/community/questions');
  await choose('Pin');
  expect(await within(screen.getByRole('article')).findByText('Pinned')).toBeTruthy();
  expect(sent(calls, 'PATCH', '/api/message-board/5')[0]?.body).toEqual({ isPinned: true });
  await choose('Report');
  const report = within(await screen.findByRole('dialog', { name: 'Report this question' }));
  await userEvent.click(report.getByLabelText('Something illegal'));
  await userEvent.click(report.getByRole('button', { name: 'Report' }));
  await waitFor(() =>
    expect(sent(calls, 'POST', '/api/reports')[0]?.body).toEqual({ kind: 'question', id: '5', reason: 'illegal' }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await choose('Hide');
  const asks = within(await screen.findByRole('dialog', { name: 'Hide this question?' }));
  await userEvent.click(asks.getByRole('button', { name: 'Hide' }));
  await waitFor(() => expect(sent(calls, 'DELETE', '/api/message-board/5')).toHaveLength(1));
});

test('a signed-out visitor can read, and signs in to ask or like', async () => {
  sessionStore.clear();
  fakeApi({ [BOARD]: page([question(5)]) });
  renderAt('/community/questions');
  expect(await screen.findByText('Asked 5')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^More/ })).toBeNull();
  const asking = screen.getByRole('link', { name: 'Sign in to ask' });
  expect(asking.getAttribute('href')).toBe('/auth?next=%2Fcommunity%2Fquestions%23ask');
  await userEvent.click(screen.getByRole('button', { name: /^Like the question by Bob/ }));
  await waitFor(() => expect(address()).toBe('/auth?next=%2Fcommunity%2Fquestions'));
});
