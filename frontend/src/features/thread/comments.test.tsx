import type { CommentPage, CommentThread } from '@beltway/contracts/realtime/comments';
import { screen, waitFor, within } from '@testing-library/react';
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

/** Answers of the server that wait until they are let go. */
function held() {
  let release = (_answer: unknown): void => undefined;
  const answer = new Promise((resolve) => (release = resolve));
  return { answer: () => answer, release: (said: unknown) => release(said) };
}

const section = () => screen.findByRole('region', { name: /^Comments/ });
async function open(answers: Record<string, unknown> = {}, path = '/event/7#comments') {
  const calls = fakeApi({ 'GET /api/events/7': eventFixture({ userId: 1 }), [LIST]: list([comment(1)]), ...answers });
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
  test('shows text as it was typed: no markup, no links, line breaks kept, its own direction', async () => {
    const text = '<img src=x onerror=alert(1)> https://evil.example\nsecond line';
    const { inside } = await open({ [LIST]: list([comment(1, { text, author: { id: 5, name: '<b>Eve</b>' } })]) });
    const shown = await inside.findByText(/evil\.example/);
    expect(shown.textContent).toBe(text);
    expect(shown.getAttribute('dir')).toBe('auto');
    expect(shown.querySelector('img, a')).toBeNull();
    expect(inside.getByText('<b>Eve</b>').tagName).toBe('BDI');
  });

  test('says how many there are, who is the organizer, what was edited, and keeps the place of what is gone', async () => {
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

  test('loads further comments and further answers', async () => {
    const answers = [11, 12, 13].map((id) => comment(id, { answerTo: 2 }));
    const { inside } = await open({
      [LIST]: list([comment(2, { answers, answerCount: 4 })], { nextCursor: '2', total: 6 }),
      [`${LIST}?cursor=2`]: list([comment(1)], { total: 6 }),
      'GET /api/comments/2/answers?cursor=13': { items: [comment(14, { answerTo: 2 })], nextCursor: null },
    });
    await press(inside, 'Show 1 more answer');
    expect(await inside.findByText('Words 14')).toBeTruthy();
    expect(inside.queryByRole('button', { name: /more answer/ })).toBeNull();
    await press(inside, 'Show more comments');
    expect(await inside.findByText('Words 1')).toBeTruthy();
    expect(inside.queryByRole('button', { name: 'Show more comments' })).toBeNull();
  });

  test('signed out: nothing to press but the sign-in, which leads back here', async () => {
    const { inside } = await open();
    const link = await inside.findByRole('link', { name: 'Sign in to comment' });
    expect(link.getAttribute('href')).toBe('/auth?next=%2Fevent%2F7%23comments');
    expect(inside.queryByRole('button')).toBeNull();
    expect(inside.queryByRole('textbox')).toBeNull();
  });

  test.each([
    ['canceled', 'Comments are closed, because this event was canceled.'],
    ['over', 'Comments are closed 30 days after an event.'],
  ] as const)('%s: nothing can be written', async (closed, words) => {
    ann();
    const { inside } = await open({ [LIST]: list([comment(1, own), comment(2)], { closed }) });
    expect(await inside.findByText(words)).toBeTruthy();
    expect(inside.queryByRole('textbox')).toBeNull();
    for (const name of ['Answer', 'Edit']) expect(inside.queryByRole('button', { name })).toBeNull();
    expect(inside.getByRole('button', { name: 'Delete' })).toBeTruthy();
  });

  test('without any it says so; what cannot be loaded can be asked for again', async () => {
    let asked = 0;
    const { inside } = await open({ [LIST]: () => (asked++ === 0 ? problem(503, 'unavailable') : list([])) });
    await press(inside, 'Retry');
    expect(await inside.findByText('No comments yet.')).toBeTruthy();
  });
});

describe('writing', () => {
  test('shows a comment at once, and what the server made of it', async () => {
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
    expect(await screen.findByRole('link', { name: /^Comment.*2/ })).toBeTruthy();
    release(comment(9, { ...own, text: 'Is there a cloakroom?' }));
    expect(await inside.findByText('Comment posted')).toBeTruthy();
    await waitFor(() =>
      expect(within(inside.getAllByRole('article')[0]!).getByRole('button', { name: 'Edit' })).toBeTruthy(),
    );
    expect(sent()[0]!.body).toEqual({ text: 'Is there a cloakroom?' });
    expect(sessionStorage).toHaveLength(0);
  });

  test('takes it back when the server refuses, keeps the words, and sends them again as the same comment', async () => {
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

  test('what was typed while the last words were refused is kept, too', async () => {
    ann();
    const { answer, release } = held();
    const { inside } = await open({ [POST]: answer });
    const words = await field(inside);
    await userEvent.type(words, 'First');
    await press(inside, 'Post');
    await userEvent.type(words, 'Second');
    release(problem(409, 'said-already', { detail: 'You said exactly this here already.' }));
    expect(await inside.findByText('You said exactly this here already.')).toBeTruthy();
    expect(words.value).toBe('First\nSecond');
  });

  test('says what is wrong at the field, before and after sending', async () => {
    ann();
    const { inside, sent } = await open({
      [POST]: problem(400, 'invalid', { errors: [{ field: 'text', message: 'must be text' }] }),
    });
    const words = await field(inside);
    await press(inside, 'Post');
    expect(await inside.findByText('Please write something')).toBeTruthy();
    expect(sent()).toEqual([]);
    await userEvent.type(words, 'Hello');
    await press(inside, 'Post');
    expect(await inside.findByText('must be text')).toBeTruthy();
    expect(words.value).toBe('Hello');
    expect(inside.getAllByRole('article')).toHaveLength(1);
  });

  test('words survive a session that ends while they are sent: signing in leads back to them', async () => {
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

  test('answers a comment, at once; a refusal opens the field again with the words', async () => {
    ann();
    let tries = 0;
    const { inside, sent } = await open({
      [POST]: () =>
        tries++ === 0
          ? problem(503, 'unavailable', { detail: 'Back soon.' })
          : comment(9, { ...own, answerTo: 1, text: 'Yes' }),
    });
    await press(inside, 'Answer');
    const words = await field(inside, 'Your answer to Writer 1');
    await waitFor(() => expect(document.activeElement).toBe(words));
    await userEvent.type(words, 'Yes');
    const send = async () => {
      const form = await inside.findByRole('form', { name: 'Your answer to Writer 1' });
      await userEvent.click(within(form).getByRole('button', { name: 'Answer' }));
    };
    await send();
    expect(await inside.findByText('Back soon.')).toBeTruthy();
    expect((await field(inside, 'Your answer to Writer 1')).value).toBe('Yes');
    expect(inside.queryByRole('article', { name: 'Answer by Ann' })).toBeNull();
    await send();
    expect(await inside.findByText('Answer posted')).toBeTruthy();
    const answers = within(inside.getByRole('list', { name: 'Answers' })).getAllByRole('article');
    expect(answers).toHaveLength(1);
    expect(within(answers[0]!).queryByRole('button', { name: 'Answer' })).toBeNull();
    expect(sent().at(-1)!.body).toEqual({ text: 'Yes', answerTo: 1 });
  });
});

describe('changing', () => {
  test('shows new words at once; a refusal brings back the old ones and keeps the new ones in the field', async () => {
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
    const words = await field(inside, 'Change your comment');
    expect(words.value).toBe('Words 1');
    await userEvent.clear(words);
    await userEvent.type(words, 'Better');
    await press(inside, 'Save');
    expect(await inside.findByText('Back soon.')).toBeTruthy();
    expect((await field(inside, 'Change your comment')).value).toBe('Better');
    expect(inside.queryByText('edited')).toBeNull();
    await press(inside, 'Save');
    expect(await inside.findByText('Comment changed')).toBeTruthy();
    expect(inside.getByText('Better')).toBeTruthy();
    expect(inside.getByText('edited')).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'));
  });

  test('Escape leaves it as it was', async () => {
    ann();
    const { inside, sent } = await open({ [LIST]: list([comment(1, own)]) });
    await press(inside, 'Edit');
    await userEvent.type(await field(inside, 'Change your comment'), ' and more{Escape}');
    expect(await inside.findByText('Words 1')).toBeTruthy();
    expect(inside.queryByRole('textbox', { name: 'Change your comment' })).toBeNull();
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

  test('is asked for first, then takes it away at once; the focus goes to the heading', async () => {
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

  test('keeps the place above answers; a refusal brings it back; one that is gone already is deleted', async () => {
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
  test('a report needs a reason, is sent once, and says thank you', async () => {
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

  test('the organizer hides what others wrote; a refusal brings it back', async () => {
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

  test('the list shows what was said and reported, and hides and restores', async () => {
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
    expect(await screen.findByText('Nothing is reported')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ action: 'hide' });
    await userEvent.selectOptions(screen.getByLabelText('Show'), 'Hidden');
    const hidden = await screen.findByRole('article', { name: 'Comment by Eve' });
    expect(hidden.textContent).toContain('Hidden by an admin');
    expect(hidden.textContent).toContain('Only an admin can restore it.');
    expect(within(hidden).queryByRole('button')).toBeNull();
  });

  test('who keeps what another moderator hid meanwhile is told, and sees the list anew', async () => {
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
    expect(await screen.findByText('Nothing is reported')).toBeTruthy();
  });
});
