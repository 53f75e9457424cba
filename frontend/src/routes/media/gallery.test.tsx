import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Photo, UploadRights } from '@beltway/contracts/media/gallery';
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
  sessionStore.set(sessionFixture({ role: 'user' }));
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = () => undefined;
});
afterEach(() => vi.unstubAllGlobals());

const photo = (id: number, change: Partial<Photo> = {}): Photo => ({
  ...{ id, imageUrl: `/media/gallery/${'ab'.repeat(32)}-445566-large.webp`, width: 1600, height: 1200 },
  ...{ title: `Photo ${id}`, description: null, eventId: 41, eventTitle: 'Go-Go Night', isVerified: true },
  ...{
    status: 'verified',
    reason: null,
    createdAt: '2026-11-20T12:00:00.000Z',
    likes: 3,
    isLiked: false,
    isOwn: false,
  },
  ...change,
});
const page = (items: Photo[], nextCursor: string | null = null) => ({ items, nextCursor });
const rights = (change: Partial<UploadRights> = {}): UploadRights => ({
  ...{ mayUploadForAll: false, events: [], business: null },
  ...change,
});
const GALLERY = 'GET /api/gallery';
const calm = (items: Photo[], change: Partial<UploadRights> = {}, more: Record<string, unknown> = {}) =>
  fakeApi({
    [GALLERY]: page(items),
    'GET /api/gallery/events': [{ eventId: 41, title: 'Go-Go Night', photos: items.length }],
    'GET /api/gallery/verification': rights(change),
    ...more,
  });
const business = () => sessionStore.set(sessionFixture({ role: 'business' }));
const forAll: Partial<UploadRights> = {
  mayUploadForAll: true,
  business: { state: 'none', businessName: null, about: null },
};

test('shows photos with title, date, likes and author, and marks the user’s own pending photos', async () => {
  calm([
    photo(2, { description: 'From the balcony', likes: 1_204 }),
    photo(1, { isOwn: true, isVerified: false, status: 'pending' }),
  ]);
  renderAt('/gallery');
  const shown = within(await screen.findByRole('article', { name: 'Photo 2' }));
  for (const text of ['From the balcony', 'Verified', 'Photo by verified member', '11/20/2026', '1,204'])
    expect(shown.getByText(text)).toBeTruthy();
  const own = within(screen.getByRole('article', { name: 'Photo 1' }));
  expect(own.getByText('Pending verification')).toBeTruthy();
  expect(own.queryByText('Photo by verified member')).toBeNull();
  expect(screen.getByText('Want to share your event photos?')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Upload Photo' })).toBeNull();
});

test('a business sees ‘Upload Photo’, which opens the dialog, instead of the banner', async () => {
  business();
  calm([], forAll, { 'GET /api/events/all': [], 'GET /api/auth/me': {} });
  renderAt('/gallery');
  const upload = await screen.findByRole<HTMLButtonElement>('button', { name: 'Upload Photo' });
  await waitFor(() => expect(upload.disabled).toBe(false));
  expect(screen.queryByText('Want to share your event photos?')).toBeNull();
  await userEvent.click(upload);
  expect(await screen.findByRole('dialog', { name: 'Upload Photo' })).toBeTruthy();
});

test('shows an empty state', async () => {
  calm([]);
  renderAt('/gallery');
  expect(await screen.findByText('No photos yet')).toBeTruthy();
});

test('shows a loading error with a retry', async () => {
  let isBroken = true;
  calm([], {}, { [GALLERY]: () => (isBroken ? problem(500, 'broken') : page([photo(4)])) });
  renderAt('/gallery');
  await screen.findByText('Couldn’t load photos');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('article', { name: 'Photo 4' })).toBeTruthy();
});

test('loads the next page, and filters by event', async () => {
  const calls = fakeApi({
    'GET /api/gallery?limit=24': page([photo(9)], '9'),
    'GET /api/gallery?limit=24&cursor=9': page([photo(8)]),
    'GET /api/gallery?limit=24&eventId=41': page([photo(7)]),
    'GET /api/gallery/events': [{ eventId: 41, title: 'Go-Go Night', photos: 1 }],
    'GET /api/gallery/verification': rights(),
  });
  renderAt('/gallery');
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('article', { name: 'Photo 8' })).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText('Event'), 'Go-Go Night (1)');
  expect(await screen.findByRole('article', { name: 'Photo 7' })).toBeTruthy();
  expect(screen.queryByRole('article', { name: 'Photo 9' })).toBeNull();
  expect(calls.filter(({ path }) => path.startsWith('/api/gallery?'))).toHaveLength(3);
});

test('a like is shown immediately, and undone when the server refuses', async () => {
  let refuse: (response: Response) => void = () => undefined;
  calm(
    [photo(5)],
    {},
    {
      'POST /api/gallery/5/like': () => new Promise<Response>((resolve) => (refuse = resolve)),
    },
  );
  renderAt('/gallery');
  const like = await screen.findByRole('button', { name: /^Like Photo 5, \d+ likes$/ });
  await userEvent.click(like);
  await waitFor(() => expect(like.getAttribute('aria-pressed')).toBe('true'));
  expect(like.textContent).toBe('Like Photo 5, 4 likes');
  refuse(answer(503));
  await waitFor(() => expect(like.getAttribute('aria-pressed')).toBe('false'));
  expect(like.textContent).toBe('Like Photo 5, 3 likes');
});

test('a photo opens over the page: arrows move on, Escape closes and returns the focus', async () => {
  calm([photo(3), photo(2), photo(1, { description: 'The last one' })]);
  renderAt('/gallery');
  await userEvent.click(await screen.findByRole('button', { name: 'Open Photo 3' }));
  const box = await screen.findByRole('dialog', { name: 'Photo 3' });
  expect(within(box).getByText('1 of 3')).toBeTruthy();
  expect(within(box).getByRole('button', { name: 'Previous photo' }).getAttribute('aria-disabled')).toBe('true');
  await userEvent.keyboard('{ArrowRight}');
  expect(await screen.findByRole('dialog', { name: 'Photo 2' })).toBeTruthy();
  await userEvent.keyboard('{ArrowRight}');
  await screen.findByRole('dialog', { name: 'Photo 1' });
  expect(screen.getByRole('img', { name: 'The last one' })).toBeTruthy();
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}');
  await screen.findByRole('dialog', { name: 'Photo 2' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open Photo 2' }));
});

test('Get Verified lists the verified events and lets a business request verification', async () => {
  calm([], {
    events: [
      { eventId: 41, title: 'Go-Go Night', startsAt: '2026-11-20T00:00:00.000Z', hasBegun: true },
      { eventId: 42, title: 'Jazz to come', startsAt: '2099-11-20T00:00:00.000Z', hasBegun: false },
    ],
  });
  renderAt('/gallery');
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Get Verified' }).disabled).toBe(false),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Get Verified' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Get Verified' }));
  const [begun, toCome] = within(dialog.getByRole('list', { name: 'Your events' })).getAllByRole('listitem');
  expect(begun?.textContent).toContain('Verified');
  expect(toCome?.textContent).toContain('Once it begins');
  expect(dialog.getByRole('button', { name: 'Upload Photo' })).toBeTruthy();
});

test('a business requests verification with the business’s name and role', async () => {
  business();
  const asked = rights({ ...forAll, business: { state: 'asked', businessName: 'The Anthem', about: 'We run it' } });
  const calls = calm([], forAll, { 'POST /api/gallery/verification': asked });
  renderAt('/gallery#verified');
  const dialog = within(await screen.findByRole('dialog', { name: 'Get Verified' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Request verification' }));
  expect(await dialog.findByText('Enter the name of your business')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText('Business name'), 'The Anthem');
  await userEvent.type(dialog.getByLabelText('What you do at events'), 'We run it');
  await userEvent.click(dialog.getByRole('button', { name: 'Request verification' }));
  expect(await dialog.findByText('Waiting for review')).toBeTruthy();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    businessName: 'The Anthem',
    about: 'We run it',
  });
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

/** Opens the upload dialog as a business with one event. */
async function openUpload() {
  business();
  FakeRequest.sent = [];
  const someEvent = eventFixture({ id: 41, title: 'Go-Go Night' });
  const calls = calm([], forAll, { 'GET /api/events/all': [someEvent], 'GET /api/auth/me': {} });
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  const { navigate } = renderAt('/gallery#upload');
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload Photo' }));
  await dialog.findByRole('option', { name: /^Go-Go Night/ });
  const choose = (file: File) => fireEvent.change(dialog.getByLabelText('Photo file'), { target: { files: [file] } });
  return { dialog, calls, choose, navigate };
}
const jpeg = pictureFile('jpeg', { size: 50 });

test('shows the specification’s texts for missing or invalid input', async () => {
  const { dialog, choose } = await openUpload();
  const said = (text: string) => waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(0));
  choose(new File(['x'], 'a.pdf', { type: 'application/pdf' }));
  await said('Invalid File Type');
  await said('Please select an image file (JPG, PNG, GIF, etc.)');
  fakeDrawing({ writes: 10 * 1024 * 1024 + 1 });
  choose(pictureFile('jpeg', { size: 10 * 1024 * 1024 + 1 }));
  await said('File Too Large');
  await said('Image must be under 10MB. Please compress your image or choose a smaller file.');
  const send = () => userEvent.click(dialog.getByRole('button', { name: 'Upload Photo' }));
  await send();
  await said('Title Required');
  await said('Please provide a title for your photo.');
  await userEvent.type(dialog.getByLabelText('Title'), 'The crowd');
  await send();
  await said('Event Required');
  await said('Please select which event this photo is from.');
  await userEvent.selectOptions(dialog.getByLabelText('Event'), '41');
  await send();
  await said('Image Required');
  await said('Please select an image to upload.');
  expect(FakeRequest.sent).toEqual([]);
});

test('uploads with progress; after a failure a retry creates no second photo', async () => {
  const { dialog, choose } = await openUpload();
  choose(jpeg);
  await userEvent.type(dialog.getByLabelText('Title'), 'The crowd');
  await userEvent.selectOptions(dialog.getByLabelText('Event'), '41');
  await userEvent.click(dialog.getByRole('button', { name: 'Upload Photo' }));
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(1));
  const [first] = FakeRequest.sent;
  expect([...first!.form!.keys()]).toEqual(['title', 'description', 'eventId', 'image']);
  expect([first!.form!.get('title'), first!.form!.get('eventId')]).toEqual(['The crowd', '41']);
  first!.upload.onprogress?.({ lengthComputable: true, loaded: 21, total: 50 });
  expect(await dialog.findByRole('button', { name: 'Uploading… 42%' })).toBeTruthy();
  first!.answer(500, {});
  await waitFor(() => expect(screen.getAllByText('Upload Failed').length).toBeGreaterThan(0));
  expect(screen.getAllByText('There was an error uploading your photo. Please try again.').length).toBeGreaterThan(0);

  await userEvent.click(dialog.getByRole('button', { name: 'Upload Photo' }));
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(2));
  const second = FakeRequest.sent[1]!;
  expect(second.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
  second.answer(201, photo(77, { isOwn: true, isVerified: false, status: 'pending' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await screen.findAllByText('Photo Uploaded!')).length).toBeGreaterThan(0);
  expect(screen.getAllByText(/pending verification/).length).toBeGreaterThan(0);
});

test('an upload can be canceled, and a server error is shown at its field', async () => {
  const { dialog, choose } = await openUpload();
  choose(jpeg);
  await userEvent.type(dialog.getByLabelText('Title'), 'The crowd');
  await userEvent.selectOptions(dialog.getByLabelText('Event'), '41');
  const send = () => userEvent.click(dialog.getByRole('button', { name: 'Upload Photo' }));
  await send();
  await userEvent.click(await dialog.findByRole('button', { name: 'Cancel upload' }));
  expect(await dialog.findByText('Upload canceled. Nothing was saved.')).toBeTruthy();
  expect(FakeRequest.sent.every(({ isAborted }) => isAborted)).toBe(true);
  const before = FakeRequest.sent.length;
  await send();
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(before + 1));
  const message = 'This event was canceled, so it has no photos.';
  const refused = {
    type: 'x',
    title: 'Conflict',
    status: 409,
    code: 'event-canceled',
    errors: [{ field: 'eventId', message }],
  };
  FakeRequest.sent.at(-1)!.answer(409, refused);
  expect(await dialog.findByText(message)).toBeTruthy();
});

test('leaving the page cancels an upload', async () => {
  const { dialog, choose, navigate } = await openUpload();
  choose(jpeg);
  await userEvent.type(dialog.getByLabelText('Title'), 'The crowd');
  await userEvent.selectOptions(dialog.getByLabelText('Event'), '41');
  await userEvent.click(dialog.getByRole('button', { name: 'Upload Photo' }));
  await waitFor(() => expect(FakeRequest.sent).toHaveLength(1));
  expect(FakeRequest.sent[0]!.isAborted).toBe(false);
  act(() => navigate('/terms'));
  await waitFor(() => expect(FakeRequest.sent[0]!.isAborted).toBe(true));
});

test('users delete their photo after a confirmation and report other photos', async () => {
  const calls = calm(
    [photo(2), photo(1, { isOwn: true })],
    {},
    {
      'DELETE /api/gallery/1': answer(204, ''),
      'POST /api/gallery/2/report': problem(500, 'x'),
    },
  );
  renderAt('/gallery#photo-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete photo' }));
  await waitFor(() =>
    expect(calls.some(({ method, path }) => method === 'DELETE' && path === '/api/gallery/1')).toBe(true),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(await screen.findByRole('button', { name: 'Open Photo 2' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Report' }));
  const report = within(await screen.findByRole('dialog', { name: 'Report this photo' }));
  await userEvent.selectOptions(report.getByLabelText('What’s wrong with it?'), 'privacy');
  await userEvent.click(report.getByRole('button', { name: 'Report' }));
  expect(await report.findByRole('alert')).toBeTruthy();
  expect(calls.find(({ path }) => path === '/api/gallery/2/report')?.body).toEqual({ reason: 'privacy' });
});

test('admins verify, reject with a reason, and verify businesses', async () => {
  sessionStore.set(sessionFixture({ role: 'admin' }));
  const waiting = { ...photo(6, { isVerified: false, status: 'pending' }), uploaderId: 9, reports: [] };
  const calls = fakeApi({
    'GET /api/gallery/moderation': { items: [waiting], nextCursor: null },
    'GET /api/gallery/verifications': {
      items: [{ userId: 9, businessName: 'The Anthem', about: 'We run it', askedAt: '2026-11-20T12:00:00.000Z' }],
    },
    'POST /api/gallery/6/moderation': answer(204, ''),
    'POST /api/gallery/verifications/9': answer(204, ''),
  });
  renderAt('/admin/gallery');
  const card = within(await screen.findByRole('article', { name: 'Photo 6' }));
  await userEvent.click(card.getByRole('button', { name: 'Reject' }));
  await userEvent.click(card.getByRole('button', { name: 'Reject' }));
  expect(await card.findByText('Add a reason')).toBeTruthy();
  await userEvent.type(card.getByLabelText('Reason'), 'Too dark');
  await userEvent.click(card.getByRole('button', { name: 'Reject' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/api/gallery/6/moderation')?.body).toEqual({
      action: 'reject',
      reason: 'Too dark',
    }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Verify The Anthem' }));
  await waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith('verifications/9'))?.body).toEqual({ action: 'verify' }),
  );
});
