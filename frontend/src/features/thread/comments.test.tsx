import type { CommentPage, CommentThread } from '@beltway/contracts/realtime/comments';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const LIST = 'GET /api/events/7/comments';
const BLOCKED = 'GET /api/events/7/comments/blocked';
const POST = 'POST /api/events/7/comments';
const comment = (id: number, more: Partial<CommentThread> = {}): CommentThread => ({
  id,
  eventId: 7,
  answerTo: null,
  state: 'shown',
  author: { id: 50 + id, name: `Writer ${id}` },
  text: `Words ${id}`,
  isOrganizer: false,
  createdAt: '2030-07-01T12:00:00.000Z',
  editedAt: null,
  answers: [],
  answerCount: 0,
  ...more,
});
const list = (items: CommentThread[], more: Partial<CommentPage> = {}): CommentPage => ({
  items,
  nextCursor: null,
  total: items.length,
  closed: null,
  ...more,
});
const ann = () => sessionStore.set(sessionFixture());
const own = { author: { id: 3, name: 'Ann' } };

/** A server response that waits until `release` is called. */
function held() {
  let release = (_answer: unknown): void => undefined;
  const answer = new Promise((resolve) => (release = resolve));
  return { answer: () => answer, release: (said: unknown) => release(said) };
}

const section = () => screen.findByRole('region', { name: /^Comments/ });
async function open(answers: Record<string, unknown> = {}, path = '/event/7#comments') {
  const calls = fakeApi({
    'GET /api/events/7': eventFixture({ userId: 1 }),
    [LIST]: list([comment(1)]),
    [BLOCKED]: { authors: [] },
    ...answers,
  });
  const app = renderAt(path);
  const inside = within(await section());
  return {
    calls,
    inside,
    app,
    sent: () => calls.filter(({ method, path: to }) => method !== 'GET' && /comments/.test(to)),
  };
}
const field = (inside: Awaited<ReturnType<typeof open>>['inside'], label = 'Your comment') =>
  inside.findByRole<HTMLTextAreaElement>('textbox', { name: label });
const press = async (inside: Awaited<ReturnType<typeof open>>['inside'], name: string | RegExp) =>
  userEvent.click((await inside.findAllByRole('button', { name }))[0]!);

describe('reading', () => {
  test('shows text as plain text, with its line breaks and writing direction, and without links', async () => {
    const text = '<img src=x onerror=alert(1)> https://evil.example\nsecond line';
    const { inside } = await open({ [LIST]: list([comment(1, { text, author: { id: 5, name: '<b>Eve</b>' } })]) });
    const shown = await inside.findByText(/evil\.example/);
    expect(shown.textContent).toBe(text);
    expect(shown.getAttribute('dir')).toBe('auto');
    expect(shown.querySelector('img, a')).toBeNull();
    expect(inside.getByText('<b>Eve</b>').tagName).toBe('BDI');
  });

  test('leaves out comments of blocked and blocking people, with all answers; visitors see everything', async () => {
    const blocked = (id: number, answerTo: number | null) =>
      comment(id, { answerTo, author: { id: 66, name: 'Bo' }, text: `Blocked ${id}` });
    const threads = list([
      { ...blocked(4, null), answers: [comment(5, { answerTo: 4 })], answerCount: 1 },
      comment(1, { answers: [blocked(2, 1), comment(3, { answerTo: 1 })], answerCount: 2 }),
    ]);
    const { inside: all } = await open({ [LIST]: threads });
    expect(await all.findByText('Blocked 4')).toBeTruthy();
    cleanup();
    ann();
    const { inside } = await open({ [LIST]: threads, [BLOCKED]: { authors: [66] } });
    expect(await inside.findByText('Words 3')).toBeTruthy();
    expect(inside.queryByText(/^Blocked/)).toBeNull();
    expect(inside.queryByText('Words 5')).toBeNull();
    expect(inside.queryByRole('button', { name: /more answer/ })).toBeNull();
  });

  test('shows the count, the organizer, edits, and a placeholder for a removed comment with answers', async () => {
    const answer = comment(4, {
      answerTo: 2,
      text: 'Still here',
      isOrganizer: true,
      editedAt: '2030-07-02T12:00:00.000Z',
    });
    const gone = { text: null, author: null, answers: [answer], answerCount: 1 };
    const { inside } = await open({
      [LIST]: list([comment(3, { ...gone, state: 'hidden' }), comment(2, { ...gone, state: 'deleted' }), comment(1)], {
        total: 1_234,
      }),
    });
    expect(await inside.findByText('Comment deleted')).toBeTruthy();
    expect(inside.getByText('Hidden by a moderator')).toBeTruthy();
    expect(inside.getAllByText('Organizer')).toHaveLength(2);
    expect(inside.getAllByText('edited')).toHaveLength(2);
    expect(inside.getByRole('heading', { name: 'Comments 1,234' })).toBeTruthy();
  });

  test('loads more comments and answers on request', async () => {
    const answers = [11, 12, 13].map((id) => comment(id, { answerTo: 2 }));
    const { inside } = await open({
      [LIST]: list([comment(2, { answers, answerCount: 4 })], { nextCursor: '2', total: 6 }),
      [`${LIST}?cursor=2`]: list([comment(1)], { total: 6 }),
      'GET /api/comments/2/answers?cursor=13': { items: [comment(14, { answerTo: 2 })], nextCursor: null },
    });
    await press(inside, 'Show 1 more reply');
    expect(await inside.findByText('Words 14')).toBeTruthy();
    expect(inside.queryByRole('button', { name: /more repl/ })).toBeNull();
    await press(inside, 'Show more comments');
    expect(await inside.findByText('Words 1')).toBeTruthy();
    expect(inside.queryByRole('button', { name: 'Show more comments' })).toBeNull();
  });

  test('a visitor sees only a link to sign in, which leads back here', async () => {
    const { inside } = await open();
    const link = await inside.findByRole('link', { name: 'Sign in to comment' });
    expect(link.getAttribute('href')).toBe('/auth?next=%2Fevent%2F7%23comments');
    expect(inside.queryByRole('button')).toBeNull();
    expect(inside.queryByRole('textbox')).toBeNull();
  });

  test.each([
    ['canceled', 'Comments are closed because this event was canceled.'],
    ['over', 'Comments are closed 30 days after an event.'],
  ] as const)('%s: comments are closed', async (closed, words) => {
    ann();
    const { inside } = await open({ [LIST]: list([comment(1, own), comment(2)], { closed }) });
    expect(await inside.findByText(words)).toBeTruthy();
    expect(inside.queryByRole('textbox')).toBeNull();
    for (const name of ['Reply', 'Edit']) expect(inside.queryByRole('button', { name })).toBeNull();
    expect(inside.getByRole('button', { name: 'Delete' })).toBeTruthy();
  });

  test('an empty list shows a note; a list that cannot be loaded can be retried', async () => {
    let asked = 0;
    const { inside } = await open({ [LIST]: () => (asked++ === 0 ? problem(503, 'unavailable') : list([])) });
    await press(inside, 'Retry');
    expect(await inside.findByText('No comments yet.')).toBeTruthy();
  });
});

describe('writing', () => {
  test('shows a comment immediately, then the comment as returned by the server', async () => {
    ann();
    const { answer, release } = held();
    const counts = { likes: 0, comments: 1, interested: 0, going: 0, shares: 0, views: 0 };
    const { inside, sent } = await open({ [POST]: answer, 'GET /api/events/7': eventFixture({ userId: 1, counts }) });
    const words = await field(inside);
    await userEvent.type(words, 'Is there a cloakroom?');
    await press(inside, 'Post');
    expect(words.value).toBe('');
    const shown = (await inside.findAllByRole('article'))[0]!;
    expect(shown.textContent).toContain('Is there a cloakroom?');
    expect(shown.textContent).toContain('Sending…');
    expect(within(shown).queryByRole('button')).toBeNull();
    expect(inside.getByRole('heading', { name: 'Comments 2' })).toBeTruthy();
    expect(await screen.findByRole('tab', { name: /^Comments.*2/ })).toBeTruthy();
    release(comment(9, { ...own, text: 'Is there a cloakroom?' }));
    expect(await inside.findByText('Comment posted')).toBeTruthy();
    await waitFor(() =>
      expect(within(inside.getAllByRole('article')[0]!).getByRole('button', { name: 'Edit' })).toBeTruthy(),
    );
    expect(sent()[0]!.body).toEqual({ text: 'Is there a cloakroom?' });
    expect(sessionStorage).toHaveLength(0);
  });

  test('removes a comment that the server refuses, keeps the text, and retries with the same key', async () => {
    ann();
    let tries = 0;
    const { inside, sent } = await open({
      [POST]: () => (tries++ < 2 ? problem(503, 'unavailable', { detail: 'Back soon.' }) : comment(9, own)),
    });
    const words = await field(inside);
    await userEvent.type(words, 'Hello');
    await press(inside, 'Post');
    expect(await inside.findByText('Back soon.')).toBeTruthy();
    expect(words.value).toBe('Hello');
    expect(inside.getAllByRole('article')).toHaveLength(1);
    expect(inside.getByRole('heading', { name: 'Comments 1' })).toBeTruthy();
    await press(inside, 'Post');
    await waitFor(() => expect(sent()).toHaveLength(2));
    await waitFor(() => expect(words.value).toBe('Hello'));
    await userEvent.type(words, '!');
    await press(inside, 'Post');
    await waitFor(() => expect(sent()).toHaveLength(3));
    const keys = sent().map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test('keeps text that was typed while the server was refusing a comment', async () => {
    ann();
    const { answer, release } = held();
    const { inside } = await open({ [POST]: answer });
    const words = await field(inside);
    await userEvent.type(words, 'First');
    await press(inside, 'Post');
    await userEvent.type(words, 'Second');
    release(problem(409, 'said-already', { detail: 'You already posted this here.' }));
    expect(await inside.findByText('You already posted this here.')).toBeTruthy();
    expect(words.value).toBe('First\nSecond');
  });

  test('shows errors at the field, before and after sending', async () => {
    ann();
    const { inside, sent } = await open({
      [POST]: problem(400, 'invalid', { errors: [{ field: 'text', message: 'must be text' }] }),
    });
    const words = await field(inside);
    await press(inside, 'Post');
    expect(await inside.findByText('Write something')).toBeTruthy();
    expect(sent()).toEqual([]);
    await userEvent.type(words, 'Hello');
    await press(inside, 'Post');
    expect(await inside.findByText('must be text')).toBeTruthy();
    expect(words.value).toBe('Hello');
    expect(inside.getAllByRole('article')).toHaveLength(1);
  });

  test('a draft survives a session that ends while it is sent: signing in leads back to it', async () => {
    ann();
    const { inside, app } = await open({
      [POST]: problem(401, 'unauthenticated'),
      'POST /api/auth/refresh': problem(401, 'unauthenticated'),
    });
    await userEvent.type(await field(inside), 'Worth keeping');
    await press(inside, 'Post');
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fevent%2F7%23comments'));
    expect(await screen.findByText(/Sign in to write a comment\./)).toBeTruthy();
    ann();
    await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/event/7#comments'));
    expect((await field(within(await section()))).value).toBe('Worth keeping');
    app.unmount();
  });

  test('shows an answer immediately; a refusal reopens the form with the text', async () => {
    ann();
    let tries = 0;
    const { inside, sent } = await open({
      [POST]: () =>
        tries++ === 0
          ? problem(503, 'unavailable', { detail: 'Back soon.' })
          : comment(9, { ...own, answerTo: 1, text: 'Yes' }),
    });
    await press(inside, 'Reply');
    const words = await field(inside, 'Your reply to Writer 1');
    await waitFor(() => expect(document.activeElement).toBe(words));
    await userEvent.type(words, 'Yes');
    const send = async () => {
      const form = await inside.findByRole('form', { name: 'Your reply to Writer 1' });
      await userEvent.click(within(form).getByRole('button', { name: 'Reply' }));
    };
    await send();
    expect(await inside.findByText('Back soon.')).toBeTruthy();
    expect((await field(inside, 'Your reply to Writer 1')).value).toBe('Yes');
    expect(inside.queryByRole('article', { name: 'Reply by Ann' })).toBeNull();
    await send();
    expect(await inside.findByText('Reply posted')).toBeTruthy();
    const answers = within(inside.getByRole('list', { name: 'Replies' })).getAllByRole('article');
    expect(answers).toHaveLength(1);
    expect(within(answers[0]!).queryByRole('button', { name: 'Reply' })).toBeNull();
    expect(sent().at(-1)!.body).toEqual({ text: 'Yes', answerTo: 1 });
  });
});

describe('changing', () => {
  test('shows an edit immediately; a refusal restores the old text and keeps the new text in the field', async () => {
    ann();
    let tries = 0;
    const { inside } = await open({
      [LIST]: list([comment(1, own)]),
      'PATCH /api/comments/1': () =>
        tries++ === 0
          ? problem(503, 'unavailable', { detail: 'Back soon.' })
          : comment(1, { ...own, text: 'Better', editedAt: '2030-07-03T12:00:00.000Z' }),
    });
    await press(inside, 'Edit');
    const words = await field(inside, 'Edit your comment');
    expect(words.value).toBe('Words 1');
    await userEvent.clear(words);
    await userEvent.type(words, 'Better');
    await press(inside, 'Save');
    expect(await inside.findByText('Back soon.')).toBeTruthy();
    expect((await field(inside, 'Edit your comment')).value).toBe('Better');
    expect(inside.queryByText('edited')).toBeNull();
    await press(inside, 'Save');
    expect(await inside.findByText('Comment updated')).toBeTruthy();
    expect(inside.getByText('Better')).toBeTruthy();
    expect(inside.getByText('edited')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'));
  });

  test('Escape discards an edit', async () => {
    ann();
    const { inside, sent } = await open({ [LIST]: list([comment(1, own)]) });
    await press(inside, 'Edit');
    await userEvent.type(await field(inside, 'Edit your comment'), ' and more{Escape}');
    expect(await inside.findByText('Words 1')).toBeTruthy();
    expect(inside.queryByRole('textbox', { name: 'Edit your comment' })).toBeNull();
    expect(sent()).toEqual([]);
  });
});

describe('deleting', () => {
  const remove = async (inside: Awaited<ReturnType<typeof open>>['inside']) => {
    await press(inside, 'Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete your comment?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };

  test('asks for confirmation, then removes the comment immediately; the focus moves to the heading', async () => {
    ann();
    const { inside } = await open({
      [LIST]: list([comment(2), comment(1, own)]),
      'DELETE /api/comments/1': () => new Response(null, { status: 204 }),
    });
    await remove(inside);
    await waitFor(() => expect(inside.queryByText('Words 1')).toBeNull());
    expect(await inside.findByText('Comment deleted')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.id).toBe('comments-heading'));
    expect(inside.getByRole('heading', { name: 'Comments 1' })).toBeTruthy();
  });

  test('keeps a placeholder above answers; a refusal restores the comment, unless it is already gone', async () => {
    ann();
    const answers = [comment(4, { answerTo: 1, text: 'An answer' })];
    const refused = held();
    const { inside } = await open({
      [LIST]: list([comment(2, own), comment(1, { ...own, answers, answerCount: 1 })], { total: 3 }),
      'DELETE /api/comments/2': problem(404, 'not-found'),
      'DELETE /api/comments/1': refused.answer,
    });
    await remove(inside);
    await waitFor(() => expect(inside.queryByText('Words 2')).toBeNull());
    await remove(inside);
    await waitFor(() => expect(inside.queryByText('Words 1')).toBeNull());
    expect(inside.getByText('An answer')).toBeTruthy();
    refused.release(problem(503, 'unavailable', { detail: 'Back soon.' }));
    expect(await inside.findByText('Words 1')).toBeTruthy();
    expect(await screen.findByText('Not deleted')).toBeTruthy();
  });
});

describe('reporting and moderating', () => {
  test('a report requires a reason, is sent once, and is acknowledged', async () => {
    ann();
    const { inside, sent } = await open({ 'POST /api/comments/1/report': () => new Response(null, { status: 204 }) });
    expect(inside.queryByRole('link', { name: 'Reported and hidden comments' })).toBeNull();
    await press(inside, 'Report');
    const dialog = within(await screen.findByRole('dialog', { name: 'Report this comment' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Report' }));
    expect(await dialog.findByText('Please choose a reason')).toBeTruthy();
    await userEvent.click(dialog.getByLabelText('Spam or advertising'));
    await userEvent.click(dialog.getByRole('button', { name: 'Report' }));
    expect(await screen.findByText('Thank you')).toBeTruthy();
    expect(await inside.findByRole<HTMLButtonElement>('button', { name: 'Reported' })).toHaveProperty('disabled', true);
    expect(sent().map(({ body }) => body)).toEqual([{ reason: 'spam' }]);
  });

  test('the organizer hides others’ comments; a refusal restores them', async () => {
    sessionStore.set(sessionFixture({ id: 1 }));
    let tries = 0;
    const { inside, sent } = await open({
      'POST /api/comments/1/moderation': () =>
        tries++ === 0 ? problem(503, 'unavailable') : { ...moderated, id: 1, state: 'hidden' },
    });
    expect(await inside.findByRole('link', { name: 'Reported and hidden comments' })).toBeTruthy();
    await press(inside, 'Hide');
    expect(await screen.findByText('Not hidden')).toBeTruthy();
    expect(await inside.findByText('Words 1')).toBeTruthy();
    await press(inside, 'Hide');
    expect(await screen.findByText('Comment hidden')).toBeTruthy();
    expect(inside.queryByText('Words 1')).toBeNull();
    expect(sent().at(-1)!.body).toEqual({ action: 'hide' });
  });

  const moderated = {
    id: 5,
    eventId: 7,
    eventTitle: 'Go-Go on the Roof',
    answerTo: null,
    state: 'shown',
    isHiddenByAdmin: false,
    author: { id: 51, name: 'Eve' },
    text: '<b>Buy</b>',
    createdAt: '2030-07-01T12:00:00.000Z',
    editedAt: null,
    reports: [{ reason: 'spam', note: 'Every day', text: 'Buy now', at: '2030-07-01T13:00:00.000Z', isSettled: false }],
    log: [],
  };
  const REPORTED = 'GET /api/comments/reported';

  test('the list shows reported comments with their reports, and hides and restores them', async () => {
    sessionStore.set(sessionFixture({ id: 1 }));
    let state = 'shown';
    const log = [{ action: 'hide', moderator: null, isAdmin: true, at: '2030-07-02T12:00:00.000Z' }];
    const calls = fakeApi({
      [`${REPORTED}?status=open`]: () => list(state === 'shown' ? [moderated as never] : []),
      [`${REPORTED}?status=hidden`]: () =>
        list(state === 'hidden' ? [{ ...moderated, state, log, isHiddenByAdmin: true } as never] : []),
      'POST /api/comments/5/moderation': () => {
        state = 'hidden';
        return { ...moderated, state };
      },
    });
    renderAt('/reported-comments');
    const shown = await screen.findByRole('article', { name: 'Comment by Eve' });
    for (const words of ['<b>Buy</b>', 'Every day', 'Buy now']) expect(shown.textContent).toContain(words);
    expect(shown.querySelector('b')).toBeNull();
    await userEvent.click(within(shown).getByRole('button', { name: 'Hide' }));
    expect(await screen.findByText('No reports')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ action: 'hide' });
    await userEvent.selectOptions(screen.getByLabelText('Show'), 'Hidden');
    const hidden = await screen.findByRole('article', { name: 'Comment by Eve' });
    expect(hidden.textContent).toContain('Hidden by an admin');
    expect(hidden.textContent).toContain('Only an admin can restore it.');
    expect(within(hidden).queryByRole('button')).toBeNull();
  });

  test('keeping a comment that another moderator has hidden shows an error and reloads the list', async () => {
    sessionStore.set(sessionFixture({ role: 'admin' }));
    let asked = 0;
    fakeApi({
      [REPORTED]: () => list(asked++ === 0 ? [moderated as never] : []),
      'POST /api/comments/5/moderation': problem(409, 'hidden-meanwhile', {
        detail: 'Another moderator hid this comment.',
      }),
    });
    renderAt('/reported-comments');
    await userEvent.click(await screen.findByRole('button', { name: 'Keep' }));
    expect(await screen.findByText('Another moderator hid this comment.')).toBeTruthy();
    expect(await screen.findByText('No reports')).toBeTruthy();
  });
});
