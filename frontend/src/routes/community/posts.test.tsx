import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostComment, SocialPost } from '@beltway/contracts/realtime/community';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { fakeDrawing, pictureFile } from '../../testing/pictures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
beforeEach(() => {
  fakeDrawing();
  sessionStorage.clear();
  sessionStore.set(sessionFixture());
});
afterEach(() => vi.unstubAllGlobals());

const POSTS = 'GET /api/social-posts';
const post = (id: number, change: Partial<SocialPost> = {}): SocialPost => ({
  ...{ id, userId: 9, userName: 'Bob', type: 'text', content: `Words ${id}`, imageUrl: null, eventId: null },
  ...{ eventTitle: null, place: null, likes: 3, comments: 0, shares: 0, createdAt: '2026-11-20T12:00:00.000Z' },
  ...{ editedAt: null, isOrganizer: false, isLiked: false, isOwn: false, mayRemove: false },
  ...change,
});
const comment = (id: number, change: Partial<PostComment> = {}): PostComment => ({
  ...{ id, postId: 5, userId: 8, userName: 'Cleo', text: `Said ${id}`, createdAt: '2026-11-20T12:00:00.000Z' },
  ...{ isOwn: false, mayRemove: false },
  ...change,
});
const page = <T,>(items: T[], nextCursor: string | null = null) => ({ items, nextCursor });
const own = { userId: 3, userName: 'Ann', isOwn: true, mayRemove: true } as const;
const sent = (calls: ReturnType<typeof fakeApi>, method: string, path: string) =>
  calls.filter((call) => call.method === method && call.path === path);
const choose = async (item: string, name = 'Bob') => {
  await userEvent.click(await screen.findByRole('button', { name: `More options for the post by ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};

test('shows posts with author, time, text, place, event and counts', async () => {
  const place = { id: 'bethesda-md', name: 'Bethesda', state: 'MD' } as const;
  fakeApi({
    [POSTS]: page([
      post(2, { place, eventId: 41, eventTitle: 'Go-Go Night', isOrganizer: true, likes: 1_204 }),
      post(1, { editedAt: '2026-11-21T12:00:00.000Z', userName: '' }),
    ]),
  });
  renderAt('/community');
  const shown = within(await screen.findByRole('article', { name: 'Post by Bob' }));
  for (const text of ['Words 2', 'Organizer', '1,204']) expect(shown.getByText(text)).toBeTruthy();
  expect(shown.getByRole('link', { name: 'Go-Go Night' }).getAttribute('href')).toBe('/event/41');
  expect(shown.getByRole('link', { name: 'Bethesda, MD' }).getAttribute('href')).toBe('/community?place=bethesda-md');
  expect(within(screen.getByRole('article', { name: 'Post by Someone' })).getByText('edited')).toBeTruthy();
});

test('names link to public profiles; otherwise a post’s name links to its author’s posts', async () => {
  fakeApi({
    [POSTS]: page([post(5, { hasProfile: true }), post(4, { userId: 7, userName: 'Dan', hasProfile: false })]),
    'GET /api/social-posts/5/comments': page([comment(1, { hasProfile: true }), comment(2, { userName: 'Eli' })]),
  });
  renderAt('/community');
  const bob = within(await screen.findByRole('article', { name: 'Post by Bob' }));
  expect(bob.getByRole('link', { name: 'Bob' }).getAttribute('href')).toBe('/u/9');
  expect(screen.getByRole('link', { name: 'Dan' }).getAttribute('href')).toBe('/community?author=7');
  await userEvent.click(bob.getByRole('button', { name: /^Comments on the post/ }));
  expect((await bob.findByRole('link', { name: 'Cleo' })).getAttribute('href')).toBe('/u/8');
  expect(bob.getByRole('article', { name: /Eli$/ })).toBeTruthy();
  expect(bob.queryByRole('link', { name: 'Eli' })).toBeNull();
});

test('shows an empty state, and an error with a retry', async () => {
  let isBroken = true;
  fakeApi({ [POSTS]: () => (isBroken ? problem(500, 'broken') : page([])) });
  renderAt('/community');
  await screen.findByText('Couldn’t load posts');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No posts yet')).toBeTruthy();
});

test('filters are in the URL, and more posts load page by page', async () => {
  const calls = fakeApi({
    [POSTS]: page([post(9)], '9'),
    [`${POSTS}?cursor=9`]: page([post(8)]),
    [`${POSTS}?place=bethesda-md`]: page([post(7)]),
    [`${POSTS}?feed=following&place=bethesda-md`]: page([]),
  });
  renderAt('/community');
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('Words 8')).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Location'), 'Bethesda');
  expect(await screen.findByText('Words 7')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/community?place=bethesda-md');
  await userEvent.selectOptions(screen.getByLabelText('Show'), 'Organizers I follow');
  expect(await screen.findByText('Nothing yet')).toBeTruthy();
  expect(screen.getByTestId('address').textContent).toBe('/community?place=bethesda-md&feed=following');
  expect(calls.filter(({ path }) => path.startsWith('/api/social-posts'))).toHaveLength(4);
});

test('a signed-out visitor can read, and signs in to write, like or see followed organizers', async () => {
  sessionStore.clear();
  const calls = fakeApi({ [POSTS]: page([post(5)]), 'GET /api/social-posts/5/comments': page([comment(1)]) });
  const { navigate } = renderAt('/community');
  const card = within(await screen.findByRole('article', { name: 'Post by Bob' }));
  expect(card.queryByRole('button', { name: /^More/ })).toBeNull();
  await userEvent.click(card.getByRole('button', { name: /^Comments on the post/ }));
  expect(await card.findByText('Said 1')).toBeTruthy();
  expect(card.getByRole('link', { name: 'Sign in to comment' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign in to post' }).getAttribute('href')).toBe(
    '/auth?next=%2Fcommunity%23post',
  );
  navigate('/community?feed=following');
  expect(await screen.findByText('Sign in to see it')).toBeTruthy();
  expect(calls.some(({ path }) => path.includes('feed=following'))).toBe(false);
  navigate('/community');
  await userEvent.click(await screen.findByRole('button', { name: /^Like the post by Bob/ }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/auth?next=%2Fcommunity'));
});

test('writes a post with a picture and an event; a retry creates no second post', async () => {
  const imageUrl = `/media/images/${'ab'.repeat(32)}-445566-large.webp`;
  let isBroken = true;
  const calls = fakeApi({
    [POSTS]: page([]),
    'GET /api/events/all': [eventFixture({ id: 41, title: 'Go-Go Night' })],
    'POST /api/images': answer(201, {
      url: imageUrl,
      thumbnailUrl: imageUrl,
      width: 1600,
      height: 1200,
      tint: 'c0ffee',
    }),
    'POST /api/social-posts': () => (isBroken ? problem(500, 'broken') : answer(201, post(77, own))),
  });
  renderAt('/community');
  await userEvent.click(await screen.findByRole('button', { name: 'Write a post' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Write a post' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await dialog.findByText('Write something')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Photo file'), {
    target: { files: [new File(['x'], 'a.pdf', { type: 'application/pdf' })] },
  });
  expect(await dialog.findByText('Please select an image file (JPG, PNG, GIF, etc.)')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Photo file'), {
    target: { files: [pictureFile('jpeg')] },
  });
  expect(await dialog.findByRole('img', { name: 'Preview of your photo' })).toBeTruthy();
  await userEvent.type(dialog.getByLabelText('What do you want to say?'), 'What a night');
  await userEvent.selectOptions(dialog.getByLabelText(/^Event/), '41');
  await userEvent.click(dialog.getByRole('button', { name: 'Post' }));
  expect(await dialog.findByText('broken')).toBeTruthy();
  isBroken = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Post' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [first, second] = sent(calls, 'POST', '/api/social-posts');
  expect(second!.body).toEqual({ content: 'What a night', imageUrl, eventId: 41 });
  expect(second!.headers.get('idempotency-key')).toBe(first!.headers.get('idempotency-key'));
  expect(screen.getByRole('link', { name: 'See it' }).getAttribute('href')).toBe('/community/posts/77');
});

test('a draft survives a reload, and a server error is shown at its field', async () => {
  const message = 'must be a known place in the region';
  fakeApi({
    [POSTS]: page([]),
    'GET /api/events/all': [],
    'POST /api/social-posts': problem(400, 'invalid', { errors: [{ field: 'place', message }] }),
  });
  const { unmount } = renderAt('/community#post');
  await userEvent.type(await screen.findByLabelText('What do you want to say?'), 'Half a thought');
  unmount();
  renderAt('/community#post');
  const words = await screen.findByLabelText<HTMLTextAreaElement>('What do you want to say?');
  expect(words.value).toBe('Half a thought');
  await userEvent.type(words, '{Control>}{Enter}{/Control}');
  const dialog = within(screen.getByRole('dialog', { name: 'Write a post' }));
  expect(await dialog.findByText(message)).toBeTruthy();
  expect(dialog.getByLabelText(/^Location/).getAttribute('aria-invalid')).toBe('true');
});

test('a like is shown immediately, and undone when the server refuses', async () => {
  let refuse: (response: Response) => void = () => undefined;
  fakeApi({
    [POSTS]: page([post(5)]),
    'POST /api/social-posts/5/like': () => new Promise<Response>((resolve) => (refuse = resolve)),
  });
  renderAt('/community');
  const like = await screen.findByRole('button', { name: /^Like the post by Bob/ });
  await userEvent.click(like);
  await waitFor(() => expect(like.getAttribute('aria-pressed')).toBe('true'));
  expect(like.textContent).toContain('4 likes');
  refuse(answer(503));
  await waitFor(() => expect(like.getAttribute('aria-pressed')).toBe('false'));
  expect(like.textContent).toContain('3 likes');
});

test('a shared link is copied with a toast, and counted', async () => {
  fakeApi({ [POSTS]: page([post(5)]), 'POST /api/social-posts/5/share': { shares: 1 } });
  const user = userEvent.setup();
  renderAt('/community');
  await user.click(await screen.findByRole('button', { name: /^Copy the link/ }));
  expect(await screen.findByText('Link copied')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/community/posts/5`);
  await screen.findByRole('button', { name: /^Copy the link to the post by Bob, 1 share$/ });
});

test('comments are written, and deleted after a confirmation; a refused text stays in the form', async () => {
  const said = [comment(1)];
  let isFlood = true;
  const calls = fakeApi({
    'GET /api/social-posts/5': post(5, { comments: 1 }),
    'GET /api/social-posts/5/comments': () => page(said),
    'POST /api/social-posts/5/comments': () => {
      if (isFlood) return problem(429, 'too-many');
      const mine = comment(2, { userId: 3, userName: 'Ann', text: 'Me too', isOwn: true, mayRemove: true });
      said.push(mine);
      return answer(201, mine);
    },
    'DELETE /api/social-posts/5/comments/2': () => {
      said.pop();
      return answer(204);
    },
  });
  renderAt('/community/posts/5');
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Write a comment', { selector: 'textarea' });
  await userEvent.type(field, 'Me too');
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
  expect(await screen.findByText(/Too many attempts/)).toBeTruthy();
  expect(field.value).toBe('Me too');
  isFlood = false;
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
  const mine = within(await screen.findByRole('article', { name: 'Comment by Ann' }));
  expect(field.value).toBe('');
  const [first, second] = sent(calls, 'POST', '/api/social-posts/5/comments');
  expect(second!.headers.get('idempotency-key')).toBe(first!.headers.get('idempotency-key'));
  await userEvent.click(mine.getByRole('button', { name: 'Delete' }));
  await userEvent.click(mine.getByRole('button', { name: 'Delete this comment' }));
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Comment by Ann' })).toBeNull());
  expect(screen.getByText('Said 1')).toBeTruthy();
});

test('a comment typed under one post does not appear under another, and is still there on return', async () => {
  fakeApi({
    'GET /api/social-posts/5': post(5),
    'GET /api/social-posts/6': post(6),
    'GET /api/social-posts/5/comments': page([]),
    'GET /api/social-posts/6/comments': page([]),
  });
  const field = () => screen.findByLabelText<HTMLTextAreaElement>('Write a comment', { selector: 'textarea' });
  // Opened first, so that it is loaded and replaces the other post immediately.
  const { navigate } = renderAt('/community/posts/6');
  const go = async (id: number) => {
    act(() => navigate(`/community/posts/${id}`));
    await screen.findByText(`Words ${id}`);
  };
  await screen.findByText('Words 6');
  await go(5);
  await userEvent.type(await field(), 'Me too');
  await go(6);
  expect((await field()).value).toBe('');
  await go(5);
  expect((await field()).value).toBe('Me too');
});

test('authors edit their post and, after a confirmation, delete it', async () => {
  let items = [post(5, own)];
  const calls = fakeApi({
    [POSTS]: () => page(items),
    'PATCH /api/social-posts/5': () => (items = [post(5, { ...own, content: 'Better words' })])[0],
    'DELETE /api/social-posts/5': () => {
      items = [];
      return answer(204);
    },
  });
  renderAt('/community');
  await choose('Edit', 'Ann');
  const words = await screen.findByLabelText('What do you want to say?');
  await userEvent.clear(words);
  await userEvent.type(words, 'Better words');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Better words')).toBeTruthy();
  expect(sent(calls, 'PATCH', '/api/social-posts/5')[0]!.body).toEqual({ content: 'Better words', imageUrl: null });
  await choose('Delete', 'Ann');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your post?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('No posts yet')).toBeTruthy();
});

test('a person is blocked after a confirmation, and their posts disappear', async () => {
  let items = [post(5), post(4, { userId: 8, userName: 'Cleo' })];
  const calls = fakeApi({
    [POSTS]: () => page(items),
    'POST /api/blocks/9': () => {
      items = items.slice(1);
      return answer(204);
    },
  });
  renderAt('/community');
  await choose('Block Bob');
  const dialog = within(await screen.findByRole('dialog', { name: 'Block Bob?' }));
  expect(sent(calls, 'POST', '/api/blocks/9')).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Block' }));
  // Waits until the dialog closes, because an open dialog hides the articles from queries.
  await screen.findByRole('article', { name: 'Post by Cleo' });
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Post by Bob' })).toBeNull());
});

test('a post is reported with a reason', async () => {
  const calls = fakeApi({ [POSTS]: page([post(5)]), 'POST /api/reports': answer(204) });
  renderAt('/community');
  await choose('Report');
  const dialog = within(await screen.findByRole('dialog', { name: 'Report this post' }));
  await userEvent.click(dialog.getByLabelText('Hate against a group of people'));
  await userEvent.click(dialog.getByRole('button', { name: 'Report' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent(calls, 'POST', '/api/reports')[0]!.body).toEqual({ kind: 'post', id: '5', reason: 'hate' });
});

test('a link to a deleted post shows Post Not Found', async () => {
  fakeApi({});
  renderAt('/community/posts/6');
  expect(await screen.findByRole('heading', { name: 'Post not found' })).toBeTruthy();
});

test('the account page lists blocked people and unblocks them', async () => {
  let items = [{ userId: 9, userName: 'Bob', at: '2026-11-20T12:00:00.000Z' }];
  fakeApi({
    'GET /api/blocks': () => page(items),
    'DELETE /api/blocks/9': () => {
      items = [];
      return answer(204);
    },
  });
  renderAt('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Unblock Bob' }));
  expect(await screen.findByText('You haven’t blocked anyone.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Blocked people' }));
});
