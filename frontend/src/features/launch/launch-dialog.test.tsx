import type { Event } from '@beltway/contracts/catalog/events';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { logout } from '../../lib/session/session.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../../testing/fixtures.ts';
import { fakeDrawing, pictureFile } from '../../testing/pictures.ts';
import { renderAt } from '../../testing/render.tsx';
import { DuplicateDialog } from './duplicate-dialog.tsx';
import { LaunchDialog } from './launch-dialog.tsx';

const onClose = vi.fn();
beforeEach(() => {
  fakeDrawing();
  sessionStorage.clear();
  onClose.mockClear();
  sessionStore.set(sessionFixture());
  // The days that can be chosen depend on the day of the month in New York.
  vi.useFakeTimers({ now: new Date('2030-07-10T16:00:00Z'), toFake: ['Date'] });
});
afterEach(() => void vi.useRealTimers());
const show = () => renderAt('/', <LaunchDialog open onClose={onClose} />);
const field = (name: RegExp) => screen.getByLabelText(name);

async function choosePlace(user: ReturnType<typeof userEvent.setup>, typed: string, name: string) {
  await user.type(field(/event location/i), typed);
  await user.click(screen.getByRole('option', { name }));
}

async function fillIn() {
  const user = userEvent.setup();
  await user.type(field(/event title/i), 'Go-Go Night');
  await user.type(field(/event description/i), 'Loud.');
  await choosePlace(user, 'Shaw', 'Shaw, Washington, DC');
  await user.click(screen.getByRole('button', { name: '#liveDJ' }));
  await user.click(field(/event date/i));
  const days = screen.getAllByRole('gridcell').flatMap((cell) => [...cell.querySelectorAll('button:not([disabled])')]);
  await user.click(days.at(-1) as HTMLElement);
  return user;
}

test('renders nothing without a session', () => {
  sessionStore.clear();
  show();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('missing fields are listed in a toast and marked, and nothing is sent', async () => {
  const calls = fakeApi({});
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Launch event' }));
  expect(await screen.findByText('Missing Required Information')).toBeTruthy();
  expect(screen.getByText('* Event date is required')).toBeTruthy();
  expect(calls).toEqual([]);
});

test('launches an event, shows a toast, clears the form and closes', async () => {
  const calls = fakeApi({ 'POST /api/events': eventFixture({ title: 'Go-Go Night' }) });
  show();
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Launch event' }));
  expect(await screen.findByText('Event Created!')).toBeTruthy();
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/event/7'));
  expect(calls[0]?.headers.get('idempotency-key')).toBeTruthy();
  expect((field(/event title/i) as HTMLInputElement).value).toBe('');
});

test('previews all dates of a series, and launches them in one request', async () => {
  const calls = fakeApi({ 'POST /api/events': eventFixture() });
  show();
  const user = await fillIn();
  await user.selectOptions(field(/how often/i), 'week');
  const dates = () => within(screen.getByRole('list', { name: 'All dates' })).getAllByRole('listitem');
  expect(dates()).toHaveLength(4);
  expect(dates()[0]?.textContent).toMatch(/7 PM$/);
  await user.clear(field(/how many dates/i));
  expect(screen.queryByRole('list', { name: 'All dates' })).toBeNull();
  await user.type(field(/how many dates/i), '12');
  expect(screen.getByText('12 dates. Each is an event with its own tickets')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Launch 12 events' }));
  expect(await screen.findByText('Go-Go on the Roof is live on 12 dates.')).toBeTruthy();
  expect(calls[0]?.body).toMatchObject({ repeat: { every: 'week', count: 12 } });
  expect(calls[0]?.body).not.toHaveProperty('moreDates');
});

test('adds single dates, and removes them', async () => {
  fakeApi({});
  show();
  const user = await fillIn();
  await user.selectOptions(field(/how often/i), 'dates');
  await user.click(screen.getByRole('button', { name: 'Launch event' }));
  expect(await screen.findAllByText('Choose at least one more date')).toBeTruthy();
  await user.click(field(/add a date/i));
  await user.click(screen.getByRole('button', { name: /next month/i }));
  const days = screen.getAllByRole('gridcell').flatMap((cell) => [...cell.querySelectorAll('button:not([disabled])')]);
  await user.click(days.at(-1) as HTMLElement);
  expect(screen.getByText('2 dates. Each is an event with its own tickets')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^Remove/ }));
  expect(screen.queryByText(/dates\. Each is an event/)).toBeNull();
});

test('price and number of tickets are accepted with commas', async () => {
  const calls = fakeApi({ 'POST /api/events': eventFixture({ id: 8 }) });
  show();
  const user = await fillIn();
  await user.click(screen.getByRole('switch', { name: /tickets/i }));
  const [price, total] = [field(/ticket price/i), field(/total tickets/i)] as HTMLInputElement[];
  expect([price!.inputMode, total!.inputMode]).toEqual(['decimal', 'numeric']);
  await user.type(price!, '12,50');
  await user.type(total!, '1,250');
  await user.click(screen.getByRole('button', { name: 'Launch event' }));
  expect(await screen.findByText('Event Created!')).toBeTruthy();
  expect(calls.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
    ...{ ticketPrice: 12.5, totalTickets: 1_250 },
  });
});

test('shows the part of the price that the organizer receives', async () => {
  fakeApi({});
  show();
  const user = userEvent.setup();
  await user.click(screen.getByRole('switch', { name: /tickets/i }));
  await user.type(field(/ticket price/i), '28.50');
  expect(screen.getByText('You keep $27.07 of $28.50')).toBeTruthy();
  await user.type(field(/ticket price/i), '0');
  expect(screen.queryByText(/You keep \$/)).toBeNull();
});

test('the preview follows the form, and nothing in it is sent or can be pressed', async () => {
  const calls = fakeApi({});
  const preview = vi.fn((event: Event) => <p data-testid="preview">{`${event.title}, ${event.location}`}</p>);
  renderAt('/', <LaunchDialog open onClose={onClose} preview={preview} />);
  const user = await fillIn();
  await waitFor(() => expect(screen.getByTestId('preview').textContent).toBe('Go-Go Night, Shaw, Washington, DC'));
  expect(preview.mock.lastCall?.[0]).toMatchObject({ id: 0, imageUrl: null, hasTickets: false });
  await user.type(screen.getByLabelText(/photo link/i), 'https://example.com/a');
  await waitFor(() => expect(preview.mock.lastCall?.[0].imageUrl).toBe('https://example.com/a'));
  expect(calls).toEqual([]);
});

describe('a copy of an event', () => {
  const original = eventFixture({ imageUrl: '/media/images/0af3-large.webp', contactEmail: 'org@example.com' });
  const duplicate = () => renderAt('/', <DuplicateDialog eventId={7} onClose={onClose} />);

  test('has all fields except the date, and is launched as a new event', async () => {
    const calls = fakeApi({ 'GET /api/events/7/managed': original, 'POST /api/events': eventFixture({ id: 8 }) });
    duplicate();
    expect((await screen.findByLabelText<HTMLInputElement>(/event title/i)).value).toBe('Go-Go on the Roof');
    await userEvent.click(screen.getByRole('button', { name: 'Launch event' }));
    expect(await screen.findByText('* Event date is required')).toBeTruthy();
    await userEvent.click(field(/event date/i));
    const days = screen
      .getAllByRole('gridcell')
      .flatMap((cell) => [...cell.querySelectorAll('button:not([disabled])')]);
    await userEvent.click(days.at(-1) as HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Launch event' }));
    expect(await screen.findByText('Event Created!')).toBeTruthy();
    expect(calls.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
      ...{ title: 'Go-Go on the Roof', imageUrl: '/media/images/0af3-large.webp', contactEmail: 'org@example.com' },
      ...{ hasTickets: true, ticketPrice: 25, totalTickets: 100 },
    });
  });

  test('has its own draft, separate from the draft of a new event', async () => {
    fakeApi({ 'GET /api/events/7/managed': original });
    show();
    await userEvent.type(field(/event title/i), 'Something else');
    cleanup();
    duplicate();
    await userEvent.type(await screen.findByLabelText(/event title/i), '!');
    cleanup();
    duplicate();
    expect(await screen.findByText('We saved your draft.')).toBeTruthy();
    expect((field(/event title/i) as HTMLInputElement).value).toBe('Go-Go on the Roof!');
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
    expect((field(/event title/i) as HTMLInputElement).value).toBe('Go-Go on the Roof');
    cleanup();
    show();
    expect((field(/event title/i) as HTMLInputElement).value).toBe('Something else');
  });
});

test('a refusal keeps the form and shows the reason', async () => {
  fakeApi({
    'POST /api/events': () =>
      problem(400, 'invalid', {
        detail: 'imageUrl: not a picture',
        errors: [{ field: 'imageUrl', message: 'not a picture' }],
      }),
  });
  show();
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Launch event' }));
  expect(await screen.findByText('Failed to create event (400): imageUrl: not a picture')).toBeTruthy();
  expect(screen.getByText('not a picture')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(field(/photo link/i)));
  expect((field(/event title/i) as HTMLInputElement).value).toBe('Go-Go Night');
});

test.each([
  ['status and text', () => answer(502, 'Bad Gateway'), 'Failed to create event (502): Bad Gateway'],
  [
    'status and name of a problem without a detail',
    () => problem(503, 'unavailable'),
    'Failed to create event (503): unavailable',
  ],
  [
    'the beginning of a long text',
    () => answer(500, 'x'.repeat(9_000)),
    `Failed to create event (500): ${'x'.repeat(300)}`,
  ],
  [
    'what to do without an answer',
    () => {
      throw new TypeError('Failed to fetch');
    },
    'We can’t reach Beltway. Check your connection and try again.',
  ],
])('a failed launch shows %s', async (_what, fail, words) => {
  fakeApi({ 'POST /api/events': fail });
  show();
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Launch event' }));
  expect(await screen.findByText('Failed to create event')).toBeTruthy();
  expect(screen.getByText(words)).toBeTruthy();
});

describe('the draft', () => {
  const title = () => (field(/event title/i) as HTMLInputElement).value;
  const reload = () => {
    cleanup();
    show();
  };

  test('survives a reload, with its photo, and can be dropped', async () => {
    show();
    const user = userEvent.setup();
    await user.type(field(/event title/i), 'Go-Go Night');
    await user.upload(field(/event photo/i), pictureFile('png'));
    await screen.findByAltText('Preview of your event photo');
    reload();
    expect(title()).toBe('Go-Go Night');
    expect(screen.getByAltText('Preview of your event photo').getAttribute('src')).toMatch(/^data:image\/png/);
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(title()).toBe('');
    reload();
    expect(title()).toBe('');
    expect(screen.queryByText(/your draft/)).toBeNull();
  });

  test('shows a note when the browser has no room for the photo', async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (slot: string) => kept.get(slot) ?? null,
      removeItem: (slot: string) => kept.delete(slot),
      setItem(slot: string, value: string) {
        if (value.includes('data:image')) throw new DOMException('full', 'QuotaExceededError');
        kept.set(slot, value);
      },
    });
    show();
    await userEvent.type(field(/event title/i), 'Go-Go Night');
    await userEvent.upload(field(/event photo/i), pictureFile('png'));
    await screen.findByAltText('Preview of your event photo');
    reload();
    expect(title()).toBe('Go-Go Night');
    expect(screen.getByText(/too large to keep with the draft/)).toBeTruthy();
    vi.unstubAllGlobals();
  });

  test('keeps the text but not the photo when the browser has no room for both', async () => {
    const kept = new Map<string, string>();
    const ROOM = 1_000;
    vi.stubGlobal('sessionStorage', {
      getItem: (slot: string) => kept.get(slot) ?? null,
      removeItem: (slot: string) => kept.delete(slot),
      setItem(slot: string, value: string) {
        const others = [...kept].filter(([other]) => other !== slot);
        if (others.reduce((sum, [, text]) => sum + text.length, value.length) > ROOM)
          throw new DOMException('full', 'QuotaExceededError');
        kept.set(slot, value);
      },
    });
    show();
    await userEvent.upload(field(/event photo/i), pictureFile('png', { size: 300 }));
    await screen.findByAltText('Preview of your event photo');
    await userEvent.type(field(/event title/i), 'Go-Go Night');
    await userEvent.click(field(/event description/i));
    await userEvent.paste('Loud. '.repeat(60));
    reload();
    expect(title()).toBe('Go-Go Night');
    expect(screen.getByText(/too large to keep with the draft/)).toBeTruthy();
    vi.unstubAllGlobals();
  });

  test('is gone after the launch', async () => {
    fakeApi({ 'POST /api/events': eventFixture() });
    show();
    const user = await fillIn();
    reload();
    await user.click(screen.getByRole('button', { name: 'Launch event' }));
    await screen.findByText('Event Created!');
    reload();
    expect(title()).toBe('');
  });

  test('is not shown to another account', async () => {
    show();
    await userEvent.type(field(/event title/i), 'Go-Go Night');
    cleanup();
    sessionStore.set(sessionFixture({ id: 4 }));
    show();
    expect(title()).toBe('');
  });

  test('sent again after a lost response and a reload, has the same idempotency key', async () => {
    let tries = 0;
    const calls = fakeApi({ 'POST /api/events': () => (tries++ === 0 ? problem(503, 'unavailable') : eventFixture()) });
    show();
    const user = await fillIn();
    await user.click(screen.getByRole('button', { name: 'Launch event' }));
    await screen.findByText('Failed to create event');
    reload();
    await user.click(screen.getByRole('button', { name: 'Launch event' }));
    await screen.findByText('Event Created!');
    expect(calls[1]?.headers.get('idempotency-key')).toBe(calls[0]?.headers.get('idempotency-key'));
  });

  test('is dropped by signing out', async () => {
    fakeApi({ 'POST /api/auth/logout': {} });
    show();
    await userEvent.type(field(/event title/i), 'Go-Go Night');
    await act(logout);
    cleanup();
    sessionStore.set(sessionFixture());
    show();
    expect(title()).toBe('');
  });
});

test('a launch that is repeated after a lost response has the same idempotency key', async () => {
  let tries = 0;
  const calls = fakeApi({ 'POST /api/events': () => (tries++ === 0 ? problem(503, 'unavailable') : eventFixture()) });
  show();
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Launch event' }));
  await waitFor(() => expect(calls).toHaveLength(1));
  await user.click(await screen.findByRole('button', { name: 'Launch event' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[1]?.headers.get('idempotency-key')).toBe(calls[0]?.headers.get('idempotency-key'));
});

test('a file that is not an image is refused, whatever its name', async () => {
  show();
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(field(/event photo/i), new File(['Dear Ann, hello'], 'a.jpg', { type: 'image/jpeg' }));
  expect(await screen.findByText('Invalid File Type')).toBeTruthy();
  expect(screen.queryByText('Image Uploaded')).toBeNull();
  expect(screen.queryByAltText('Preview of your event photo')).toBeNull();
  await user.upload(field(/event photo/i), new File(['hello'], 'notes.txt', { type: 'text/plain' }));
  expect(await screen.findByText('Please select an image file (JPG, PNG, GIF, etc.)')).toBeTruthy();
});

test('an image over 5MB is refused, and a smaller image is shown and can be removed', async () => {
  show();
  const user = userEvent.setup();
  fakeDrawing({ writes: 5 * 1024 * 1024 + 1 });
  await user.upload(field(/event photo/i), pictureFile('png', { size: 5 * 1024 * 1024 + 1 }));
  expect(await screen.findByText('Please select an image smaller than 5MB')).toBeTruthy();
  await user.upload(field(/event photo/i), pictureFile('png'));
  expect(await screen.findByText('Image Uploaded')).toBeTruthy();
  expect(screen.getByAltText('Preview of your event photo').getAttribute('src')).toMatch(/^data:image\/png/);
  await user.click(screen.getByRole('button', { name: 'Remove photo' }));
  expect(screen.queryByAltText('Preview of your event photo')).toBeNull();
});

describe('the place', () => {
  const value = () => (field(/event location/i) as HTMLInputElement).value;

  test('typing a place clears the chosen place, and choosing a place clears the typed text', async () => {
    show();
    const user = userEvent.setup();
    await choosePlace(user, 'Shaw', 'Shaw, Washington, DC');
    expect(value()).toBe('Shaw, Washington, DC');
    await user.click(screen.getByRole('button', { name: 'Type the location instead' }));
    expect(value()).toBe('');
    await user.type(field(/event location/i), 'The porch');
    await user.click(screen.getByRole('button', { name: 'Search for a place instead' }));
    expect(value()).toBe('');
  });

  test('is found in the whole gazetteer, with mouse or keyboard; Escape closes only the list', async () => {
    show();
    const user = userEvent.setup();
    await user.type(field(/event location/i), '9:30');
    const listed = within(screen.getByRole('listbox', { name: 'Places' })).getAllByRole('option');
    expect(listed.map(({ textContent }) => textContent)).toEqual(['9:30 Club, Washington, DC', 'Use ‘9:30’']);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(value()).toBe('9:30 Club, Washington, DC');
  });

  test('that is in no list is accepted as typed text, on request or when the field loses the focus', async () => {
    const calls = fakeApi({ 'POST /api/events': eventFixture() });
    show();
    const user = await fillIn();
    await user.clear(field(/event location/i));
    await user.type(field(/event location/i), 'Bea’s backyard');
    await user.click(screen.getByRole('option', { name: 'Use ‘Bea’s backyard’' }));
    expect(value()).toBe('Bea’s backyard');
    await user.click(screen.getByRole('button', { name: 'Search for a place instead' }));
    await user.type(field(/event location/i), 'Ann’s backyard{Tab}');
    await user.type(field(/exact address/i), ' 12 Elm St ');
    await user.click(screen.getByRole('button', { name: 'Launch event' }));
    expect(await screen.findByText('Event Created!')).toBeTruthy();
    expect(calls[0]?.body).toMatchObject({ location: 'Ann’s backyard', address: '12 Elm St' });
  });
});

test('Escape closes only the calendar and returns the focus; past days cannot be chosen', async () => {
  show();
  const user = userEvent.setup();
  await user.click(field(/event date/i));
  const [first] = screen.getAllByRole('gridcell').flatMap((cell) => [...cell.querySelectorAll('button')]);
  expect(first).toHaveProperty('disabled', true);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('grid')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(field(/event date/i));
});

test('Enter adds a tag once, with a leading #', async () => {
  const calls = fakeApi({});
  show();
  const user = userEvent.setup();
  await user.type(field(/^tags/i), 'jazz{Enter}');
  await user.type(field(/^tags/i), '#Jazz{Enter}');
  expect(screen.getAllByRole('button', { name: 'Remove #jazz' })).toHaveLength(1);
  expect(calls).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove #jazz' }));
  expect(screen.queryByRole('button', { name: 'Remove #jazz' })).toBeNull();
});

test('an invalid tag stays in its field with a message; a typed tag is added when the field loses the focus', async () => {
  show();
  const user = userEvent.setup();
  await user.type(field(/^tags/i), 'Two words!{Enter}');
  expect(screen.getByText('A tag is one word, letters and numbers only, such as #TwoWords.')).toBeTruthy();
  expect((field(/^tags/i) as HTMLInputElement).value).toBe('Two words!');
  await user.clear(field(/^tags/i));
  await user.type(field(/^tags/i), 'TwoWords{Tab}');
  expect(screen.getByRole('button', { name: 'Remove #TwoWords' })).toBeTruthy();
});

test('the button shows that the event is being created', async () => {
  let say: (event: unknown) => void = () => undefined;
  fakeApi({ 'POST /api/events': () => new Promise((resolve) => (say = resolve)) });
  show();
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Launch event' }));
  expect(await screen.findByRole('button', { name: 'Creating...' })).toHaveProperty('disabled', true);
  say(eventFixture());
  expect(await screen.findByText('Event Created!')).toBeTruthy();
});
