import type { Answer, Question, QuestionThread } from '@beltway/contracts/realtime/community';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer as answered, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => {
  sessionStorage.clear();
  sessionStore.set(sessionFixture());
});
afterEach(() => vi.unstubAllGlobals());

const AT = '2026-11-20T12:00:00.000Z';
const question = (change: Partial<Question> = {}): Question => ({
  ...{ id: 5, userId: 9, userName: 'Bob', question: 'Where to park?', category: 'general', location: null },
  ...{ eventId: 41, eventTitle: 'Go-Go Night', isAnswered: false, isPinned: false, likes: 2, answers: 1 },
  ...{ createdAt: AT, editedAt: null, isLiked: false, isFollowed: false, isOwn: false, mayPin: false },
  ...{ mayRemove: false },
  ...change,
});
const answer = (id: number, change: Partial<Answer> = {}): Answer => ({
  ...{ id, questionId: 5, userId: 8, userName: 'Cleo', answer: `Said ${id}`, isVerified: false, isAccepted: false },
  ...{ likes: 0, createdAt: AT, isLiked: false, isOwn: false, mayRemove: false },
  ...change,
});
const thread = (asked: Question, items: Answer[], nextCursor: string | null = null): QuestionThread => ({
  question: asked,
  accepted: items.find(({ isAccepted }) => isAccepted) ?? null,
  answers: { items, nextCursor },
});
const PATH = 'GET /api/message-board/5';
const sent = (calls: ReturnType<typeof fakeApi>, method: string, path: string) =>
  calls.filter((call) => call.method === method && call.path === path);

test('shows a question with its event, its accepted answer, and its other answers page by page', async () => {
  fakeApi({
    [PATH]: thread(question(), [answer(1, { isVerified: true, isAccepted: true })], '1'),
    [`${PATH}?cursor=1`]: thread(question(), [answer(2)]),
  });
  renderAt('/community/questions/5');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Where to park?');
  expect(screen.getByRole('link', { name: 'Go-Go Night' }).getAttribute('href')).toBe('/event/41');
  const helped = within(screen.getByRole('region', { name: 'Answer that helped' }));
  for (const text of ['Said 1', 'Verified', 'Helped']) expect(helped.getByText(text)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Said 2')).toBeTruthy();
  // The accepted answer is listed only once.
  expect(screen.getAllByText('Said 1')).toHaveLength(1);
});

test('a name is a link only if the person has a public profile', async () => {
  fakeApi({
    [PATH]: thread(question({ hasProfile: true }), [answer(1, { hasProfile: true }), answer(2, { userName: 'Eli' })]),
  });
  renderAt('/community/questions/5');
  expect((await screen.findByRole('link', { name: 'Bob' })).getAttribute('href')).toBe('/u/9');
  expect(screen.getByRole('link', { name: 'Cleo' }).getAttribute('href')).toBe('/u/8');
  expect(within(screen.getByRole('article', { name: /Eli$/ })).queryByRole('link')).toBeNull();
});

test('posts an answer; a retry after a failure creates no second answer', async () => {
  let isBroken = true;
  const calls = fakeApi({
    [PATH]: thread(question(), []),
    'POST /api/message-board/5/answers': () => (isBroken ? problem(500, 'broken') : answered(201, answer(3))),
  });
  renderAt('/community/questions/5');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Write an answer' }), 'Behind the station');
  await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
  await screen.findByRole('alert');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
  await waitFor(() => expect(sent(calls, 'POST', '/api/message-board/5/answers')).toHaveLength(2));
  const [first, second] = sent(calls, 'POST', '/api/message-board/5/answers');
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
});

test('the asker accepts an answer', async () => {
  let isAccepted = false;
  const calls = fakeApi({
    [PATH]: () => answered(200, thread(question({ isOwn: true }), [answer(1, { isAccepted })])),
    'POST /api/message-board/answers/1/accept': () => {
      isAccepted = true;
      return answered(204, null);
    },
  });
  renderAt('/community/questions/5');
  await userEvent.click(await screen.findByRole('button', { name: 'This helped' }));
  expect(await screen.findByRole('region', { name: 'Answer that helped' })).toBeTruthy();
  expect(sent(calls, 'POST', '/api/message-board/answers/1/accept')).toHaveLength(1);
});

test('the asker edits and deletes the question, which leads back to the board', async () => {
  let asked = question({ isOwn: true, mayRemove: true });
  const calls = fakeApi({
    [PATH]: () => answered(200, thread(asked, [])),
    'PATCH /api/message-board/5': () => {
      asked = { ...asked, question: 'Where do bikes go?', category: 'getting-there' };
      return answered(200, asked);
    },
    'DELETE /api/message-board/5': answered(204, ''),
    'GET /api/message-board': { items: [], nextCursor: null },
  });
  renderAt('/community/questions/5');
  const choose = async (item: string) => {
    await userEvent.click(await screen.findByRole('button', { name: 'More options for the question by Bob' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  };
  await choose('Edit');
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit your question' }));
  const words = dialog.getByLabelText('What do you want to know?');
  await userEvent.clear(words);
  await userEvent.type(words, 'Where do bikes go?');
  await userEvent.selectOptions(dialog.getByLabelText('Category'), 'Getting there');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Where do bikes go?'));
  expect(sent(calls, 'PATCH', '/api/message-board/5')[0]?.body).toEqual({
    question: 'Where do bikes go?',
    category: 'getting-there',
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await choose('Delete');
  const asks = within(await screen.findByRole('dialog', { name: 'Delete your question?' }));
  await userEvent.click(asks.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/community/questions'));
});

test('users follow and like a question, report an answer, and delete their own answer', async () => {
  let items = [answer(1), answer(2, { userName: 'Ann', isOwn: true, mayRemove: true })];
  const calls = fakeApi({
    [PATH]: () => answered(200, thread(question(), items)),
    'POST /api/message-board/5/follow': { isFollowed: true },
    'POST /api/message-board/5/like': { likes: 3, isLiked: true },
    'POST /api/reports': answered(204, ''),
    'DELETE /api/message-board/answers/2': () => {
      items = items.slice(0, 1);
      return answered(204, '');
    },
  });
  renderAt('/community/questions/5');
  const pressed = (name: string | RegExp) => screen.getByRole('button', { name }).getAttribute('aria-pressed');
  await userEvent.click(await screen.findByRole('button', { name: 'Follow' }));
  await waitFor(() => expect(pressed('Following')).toBe('true'));
  await userEvent.click(screen.getByRole('button', { name: /^Like the question/ }));
  await waitFor(() => expect(pressed(/^Like the question by Bob, 3 likes/)).toBe('true'));

  const choose = async (name: string, item: string) => {
    await userEvent.click(screen.getByRole('button', { name: `More options for the answer by ${name}` }));
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  };
  await choose('Cleo', 'Report');
  const report = within(await screen.findByRole('dialog', { name: 'Report this answer' }));
  await userEvent.click(report.getByLabelText('Spam or advertising'));
  await userEvent.click(report.getByRole('button', { name: 'Report' }));
  await waitFor(() =>
    expect(sent(calls, 'POST', '/api/reports')[0]?.body).toEqual({ kind: 'answer', id: '1', reason: 'spam' }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await choose('Ann', 'Delete');
  const asks = within(await screen.findByRole('dialog', { name: 'Delete your answer?' }));
  await userEvent.click(asks.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByText('Said 2')).toBeNull());
  expect(screen.getByText('Said 1')).toBeTruthy();
});

test('when a posting limit is reached, the page shows the server’s reason', async () => {
  const detail = 'New accounts can only post a little on their first day. Please come back tomorrow.';
  fakeApi({
    [PATH]: thread(question(), []),
    'POST /api/message-board/5/answers': problem(429, 'too-many-requests', { detail }, { 'retry-after': '86000' }),
  });
  renderAt('/community/questions/5');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Write an answer' }), 'Here');
  await userEvent.click(screen.getByRole('button', { name: 'Answer' }));
  expect((await screen.findByRole('alert')).textContent).toBe(detail);
});

test('a signed-out visitor sees a sign-in link instead of the controls; a deleted question is not found', async () => {
  sessionStore.clear();
  fakeApi({ [PATH]: thread(question({ isOwn: true }), [answer(1)]), 'GET /api/message-board/6': problem(404, 'none') });
  const { navigate } = renderAt('/community/questions/5');
  expect(await screen.findByRole('link', { name: 'Sign in to answer' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'This helped' })).toBeNull();
  navigate('/community/questions/6');
  expect(await screen.findByText('Question not found')).toBeTruthy();
});
