import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { MyTopPicks, TopPick } from '@beltway/contracts/media/top-picks';
import { TopPicks } from '../../features/top-picks/top-picks.tsx';
import { expireSession, sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));
afterEach(() => vi.unstubAllGlobals());

const video = (id: number, change: Partial<TopPick> = {}): TopPick => ({
  ...{
    id,
    title: `Video ${id}`,
    description: null,
    category: 'event',
    videoUrl: `/media/videos/${'ab'.repeat(32)}.mp4`,
  },
  ...{ thumbnailUrl: `/media/gallery/${'cd'.repeat(32)}-445566-large.webp`, uploadedBy: 'Ann', userId: 77 },
  ...{ uploadDate: '2026-11-20T12:00:00.000Z', featured: false, approved: true, views: 1_204, likes: 3 },
  promotedEvent: null,
  ...change,
});
const page = (items: TopPick[], nextCursor: string | null = null) => ({ items, nextCursor });
const mine = (change: Partial<MyTopPicks> = {}): MyTopPicks => ({ liked: [], videos: [], clips: [], ...change });
const LIST = 'GET /api/top-picks';
const signIn = (role: 'user' | 'admin' = 'user') => sessionStore.set(sessionFixture({ role }));
const calm = (items: TopPick[], more: Record<string, unknown> = {}) =>
  fakeApi({ [LIST]: page(items), 'GET /api/top-picks/mine': mine(), ...more });
const open = (hash = '') => renderAt(`/${hash}`, <TopPicks />);
const address = () => screen.getByTestId('address').textContent;

test('shows videos with their details, filters by category, and loads the next page', async () => {
  const calls = fakeApi({
    'GET /api/top-picks?limit=6': page(
      [
        video(3, { promotedEvent: { id: 41, title: 'Go-Go Night' }, title: 'Our clip' }),
        video(2, { featured: true, likes: 1, views: 1 }),
      ],
      'next',
    ),
    'GET /api/top-picks?limit=6&cursor=next': page([video(1)]),
    'GET /api/top-picks?limit=6&category=venue': page([]),
  });
  open();
  const clip = within(await screen.findByRole('article', { name: 'Our clip' }));
  for (const text of ['Promoted', 'Event', 'Ann']) expect(clip.getByText(text)).toBeTruthy();
  expect(clip.getByText(/^1\.2K views/)).toBeTruthy();
  const featured = within(screen.getByRole('article', { name: 'Video 2' }));
  expect(featured.getByText('Featured')).toBeTruthy();
  expect(featured.getByText(/^1 view ·/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('article', { name: 'Video 1' })).toBeTruthy();
  const choices = within(screen.getByRole('group', { name: 'Category of videos' }));
  expect(choices.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    ...['All', 'Event', 'Venue', 'Highlight', 'Announcement'],
  ]);
  await userEvent.click(choices.getByRole('button', { name: 'Venue' }));
  expect(await screen.findByText('No videos yet')).toBeTruthy();
  expect(address()).toBe('/?videos=venue');
  expect(calls.every(({ path }) => !path.includes('mine'))).toBe(true);
});

test('shows a loading error with a retry', async () => {
  let isBroken = true;
  calm([], { [LIST]: () => (isBroken ? problem(503, 'unavailable') : page([video(4)])) });
  open();
  await screen.findByText('Couldn’t load videos');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Video 4' })).toBeTruthy();
});

test('plays a video in a dialog with its own URL, counts one view, shares, and closes on Back', async () => {
  const calls = calm([video(5, { description: 'From the roof', promotedEvent: { id: 41, title: 'Go-Go Night' } })], {
    'POST /api/top-picks/5/view': answer(204),
  });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Play Video 5' }));
  const dialog = await screen.findByRole('dialog', { name: 'Video 5' });
  expect(address()).toBe('/#video-5');
  const player = dialog.querySelector('video')!;
  expect(player.controls).toBe(true);
  expect(player.getAttribute('src')).toMatch(/^\/media\/videos\//);
  fireEvent.play(player);
  fireEvent.play(player);
  await waitFor(() => expect(calls.filter(({ path }) => path.endsWith('/view'))).toHaveLength(1));
  const shown = within(dialog);
  expect(shown.getByText('From the roof')).toBeTruthy();
  expect(shown.getByRole('link', { name: 'Go-Go Night' }).getAttribute('href')).toBe('/event/41');
  const written = vi.fn(() => Promise.resolve());
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: written }, configurable: true });
  fireEvent.click(shown.getByRole('button', { name: 'Share' }));
  await screen.findByText('Video link copied to clipboard!');
  expect(written).toHaveBeenCalledWith(`${window.location.origin}/#video-5`);
  fireEvent.error(player);
  expect(shown.getByRole('link', { name: 'Download it' })).toBeTruthy();
  window.history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('has its own page, and signing in returns to it', async () => {
  calm([video(5)]);
  renderAt('/top-picks');
  expect(await screen.findByRole('heading', { name: 'Top Picks', level: 1 })).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: /^Like Video 5/ }));
  await waitFor(() => expect(address()).toBe('/auth?next=%2Ftop-picks%23video-5'));
});

test('a link opens a video that is not on the first page', async () => {
  calm([], { 'GET /api/top-picks/9': video(9) });
  open('#video-9');
  expect(await screen.findByRole('dialog', { name: 'Video 9' })).toBeTruthy();
});

test('a like is shown immediately, and undone when the server refuses', async () => {
  signIn();
  let refuse: (response: Response) => void = () => undefined;
  calm([video(5)], { 'POST /api/top-picks/5/like': () => new Promise<Response>((resolve) => (refuse = resolve)) });
  open();
  const like = await screen.findByRole<HTMLButtonElement>('button', { name: /^Like Video 5, \d+ likes$/ });
  await waitFor(() => expect(like.disabled).toBe(false));
  await userEvent.click(like);
  await waitFor(() =>
    expect([like.getAttribute('aria-pressed'), like.textContent]).toEqual(['true', expect.stringContaining('4')]),
  );
  refuse(problem(503, 'unavailable'));
  await waitFor(() =>
    expect([like.getAttribute('aria-pressed'), like.textContent]).toEqual(['false', expect.stringContaining('3')]),
  );
  expect(await screen.findByText('Not saved')).toBeTruthy();
});

test('the account’s likes are not shown after its session has ended in place', async () => {
  signIn();
  calm([video(5)], { 'GET /api/top-picks/mine': mine({ liked: [5] }) });
  open();
  const like = await screen.findByRole('button', { name: /^Like Video 5/ });
  await waitFor(() => expect(like.getAttribute('aria-pressed')).toBe('true'));
  act(() => expireSession({ redirect: false }));
  expect(like.getAttribute('aria-pressed')).toBe('false');
});

test('a signed-out visitor must sign in to like or upload', async () => {
  calm([video(5)]);
  open();
  await screen.findByRole('article', { name: 'Video 5' });
  await userEvent.click(screen.getByRole('button', { name: 'Upload video' }));
  await screen.findByText('Authentication Required');
  expect(screen.getByText('Please log in to upload videos.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth?next=%2F%23upload-video');
  await userEvent.click(screen.getByRole('button', { name: /^Like Video 5/ }));
  expect(address()).toBe('/auth?next=%2F%23video-5');
});

test('users report a video with a reason, and delete their own video', async () => {
  signIn();
  const user = sessionFixture({ role: 'user' }).user;
  const calls = calm([video(5), video(6, { userId: user.id })], {
    'POST /api/top-picks/5/report': answer(204),
    'DELETE /api/top-picks/6': answer(204),
  });
  open('#video-5');
  const playing = within(await screen.findByRole('dialog', { name: 'Video 5' }));
  await userEvent.click(playing.getByRole('button', { name: 'Report' }));
  const report = within(await screen.findByRole('dialog', { name: 'Report this video' }));
  await userEvent.click(report.getByLabelText('Someone else’s video or music'));
  await userEvent.click(report.getByRole('button', { name: 'Report' }));
  await screen.findByText('Video reported');
  expect(calls.find(({ path }) => path.endsWith('/report'))?.body).toEqual({ reason: 'rights' });

  await userEvent.click(playing.getByRole('button', { name: 'Close' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Play Video 6' }));
  const own = within(await screen.findByRole('dialog', { name: 'Video 6' }));
  await userEvent.click(own.getByRole('button', { name: 'Delete' }));
  await userEvent.click(own.getByRole('button', { name: 'Delete video' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

/** Replaces XMLHttpRequest. The test sends the response. */
class FakeRequest {
  static sent: FakeRequest[] = [];
  upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = '';
  form: FormData | undefined;
  isAborted = false;
  headers: Record<string, string> = {};
  open = () => undefined;
  setRequestHeader = (name: string, value: string) => void (this.headers[name] = value);
  getResponseHeader = () => null;
  send(form: FormData) {
    this.form = form;
    FakeRequest.sent.push(this);
  }
  abort() {
    this.isAborted = true;
    this.onabort?.();
  }
  answer(status: number, body: object) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

async function openUpload(change: Partial<MyTopPicks> = {}) {
  signIn();
  FakeRequest.sent = [];
  const calls = calm([], { 'GET /api/top-picks/mine': mine(change), 'GET /api/auth/me': {} });
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Upload video' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload video' }));
  const choose = (label: string, file: File) =>
    fireEvent.change(dialog.getByLabelText(`${label} file`), { target: { files: [file] } });
  return { dialog, calls, choose, send: () => userEvent.click(dialog.getByRole('button', { name: 'Upload video' })) };
}
const mp4 = new File([new Uint8Array(50)], 'a.mp4', { type: 'video/mp4' });
const said = (text: string) => waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(0));

test('shows the specification’s texts for missing or invalid input', async () => {
  const { dialog, choose, send } = await openUpload();
  await send();
  await said('Missing Information');
  await said('Please provide a title and select a video file.');
  choose('Video', new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  await said('Invalid File Type');
  await said('Please select a video file.');
  const large = new File(['x'], 'a.mp4', { type: 'video/mp4' });
  Object.defineProperty(large, 'size', { value: 50 * 1024 * 1024 + 1 });
  choose('Video', large);
  await said('File Too Large');
  await said('Video file must be less than 50MB.');
  choose('Thumbnail', new File(['x'], 'a.mp4', { type: 'video/mp4' }));
  await said('Please select an image file (JPG, PNG, GIF, etc.)');
  await userEvent.type(dialog.getByLabelText('Title'), 'The crowd');
  await send();
  await said('Missing Information');
  expect(FakeRequest.sent).toEqual([]);
});

test('uploads with progress; after a failure a retry creates no second video', async () => {
  const { dialog, choose, send } = await openUpload({
    clips: [{ eventId: 41, title: 'Go-Go Night', until: '2027-11-20T12:00:00.000Z' }],
  });
  choose('Video', mp4);
  await userEvent.type(dialog.getByLabelText('Title'), 'The crowd');
  await userEvent.selectOptions(dialog.getByLabelText('Category'), 'highlight');
  await userEvent.selectOptions(dialog.getByLabelText('Promote an event'), '41');
  await send();
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(1));
  const [first] = FakeRequest.sent;
  expect([...first!.form!.keys()]).toEqual(['title', 'description', 'category', 'eventId', 'video']);
  expect(['title', 'category', 'eventId'].map((name) => first!.form!.get(name))).toEqual([
    'The crowd',
    'highlight',
    '41',
  ]);
  first!.upload.onprogress?.({ lengthComputable: true, loaded: 21, total: 50 });
  expect(await dialog.findByRole('button', { name: 'Uploading… 42%' })).toBeTruthy();
  first!.answer(503, { title: 'Not now', status: 503, code: 'unavailable', detail: 'Not now' });
  await said('Upload Failed');
  await said('There was an error uploading your video. Please try again.');
  await send();
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(2));
  expect(FakeRequest.sent[1]!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
  FakeRequest.sent[1]!.answer(201, video(8));
  await said('Video Uploaded Successfully!');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

/** Opens the dialog and starts an upload. */
async function startUpload() {
  const { dialog, choose, send } = await openUpload();
  choose('Video', mp4);
  await userEvent.type(dialog.getByLabelText('Title'), 'The crowd');
  await send();
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(1));
  return dialog;
}

test('an upload can be canceled', async () => {
  const dialog = await startUpload();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel upload' }));
  expect(FakeRequest.sent[0]!.isAborted).toBe(true);
  expect(await dialog.findByText('Upload canceled. Nothing was saved.')).toBeTruthy();
  expect(screen.queryByText('Upload Failed')).toBeNull();
});

test('going back in the browser cancels an upload', async () => {
  await startUpload();
  expect(FakeRequest.sent[0]!.isAborted).toBe(false);
  window.history.back();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(FakeRequest.sent[0]!.isAborted).toBe(true));
});

test('an admin features a video, and rejects a video with a reason', async () => {
  signIn('admin');
  const reports = [{ reason: 'rights', note: 'It is mine', at: '2026-11-20T12:00:00.000Z' }];
  const calls = fakeApi({
    'GET /api/top-picks/moderation': page([{ ...video(6), reason: null, reports } as TopPick]),
    'POST /api/top-picks/6/moderation': answer(204),
  });
  renderAt('/admin/top-picks');
  const card = within(await screen.findByRole('article', { name: 'Video 6' }));
  expect(card.getByText('Someone else’s video or music')).toBeTruthy();
  await userEvent.click(card.getByRole('button', { name: 'Feature' }));
  const bodies = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await waitFor(() => expect(bodies()).toEqual([{ action: 'feature' }]));
  await userEvent.click(await card.findByRole('button', { name: 'Reject' }));
  await userEvent.click(card.getByRole('button', { name: 'Reject' }));
  expect(await card.findByText('Add a reason')).toBeTruthy();
  await userEvent.type(card.getByLabelText('Reason'), 'Not yours');
  await userEvent.click(card.getByRole('button', { name: 'Reject' }));
  await waitFor(() => expect(bodies().at(-1)).toEqual({ action: 'reject', reason: 'Not yours' }));
});
