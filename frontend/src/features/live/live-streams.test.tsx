import { LivestreamCategory, type LiveStream } from '@beltway/contracts/catalog/livestream';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';

const told = vi.hoisted(() => ({ handlers: new Map<string, (data: unknown) => void>() }));
vi.mock('../../lib/realtime/socket.ts', () => ({
  pageSocket: async () => ({
    on: (name: string, handler: (data: unknown) => void) => told.handlers.set(name, handler),
    off: (name: string) => told.handlers.delete(name),
  }),
}));
// Loads the modules again, because modules that another test file cached use the real connection, not this file's fake.
vi.resetModules();
const { renderAt } = await import('../../testing/render.tsx');
const { LiveStreams } = await import('./live-streams.tsx');
const { Link, Route, Routes } = await import('react-router-dom');
afterAll(() => void vi.resetModules());
beforeEach(() => told.handlers.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const stream = (changes: Partial<LiveStream>): LiveStream => ({
  ...{ id: 7, title: 'Go-Go on the Pier', venueName: 'The Wharf', location: 'The Wharf, DC', category: 'Waterfront' },
  ...{
    description: 'Three bands.',
    thumbnailUrl: '/media/posters/7.webp',
    viewerCount: 0,
    isLive: true,
    isClip: false,
  },
  ...{ startTime: '2030-07-12T23:00:00.000Z', endTime: '2030-07-13T03:00:00.000Z', maxViewers: 500 },
  ...{ chatEnabled: true, recordingEnabled: true },
  ...changes,
});
const open = (answer: unknown) => {
  fakeApi({ 'GET /api/live-streams': answer });
  return renderAt('/', <LiveStreams chat={({ title }) => <p>Chat of {title}</p>} />).queries;
};

test('the first stream is selected, and a card selects another', async () => {
  open([stream({}), stream({ id: 8, title: 'Jazz at Noon', isLive: false, category: 'Entertainment District' })]);
  const section = within(await screen.findByRole('region', { name: 'Live streams' }));
  expect(section.getByRole('heading', { level: 3 }).textContent).toBe('Go-Go on the Pier');
  expect(section.getByRole('button', { name: /Go-Go on the Pier/, pressed: true })).toBeTruthy();
  expect(section.getAllByText('LIVE')).toHaveLength(2);
  await userEvent.click(section.getByRole('button', { name: /Jazz at Noon/, pressed: false }));
  expect(section.getByRole('heading', { level: 3 }).textContent).toBe('Jazz at Noon');
  expect(section.getAllByText('Starts Fri, Jul 12, 2030, 7 PM ET')).toHaveLength(2);
  expect(section.getByRole('link', { name: 'See the event' }).getAttribute('href')).toBe('/event/8');
});

test('the selected stream stays selected when another stream becomes the first', async () => {
  let streams = [stream({})];
  open(() => streams);
  const section = within(await screen.findByRole('region', { name: 'Live streams' }));
  await waitFor(() => expect(told.handlers.has('catalog.livestream-changed')).toBe(true));
  streams = [stream({ id: 8, title: 'Jazz at Noon' }), ...streams];
  act(() => told.handlers.get('catalog.livestream-changed')!({ eventId: 8, status: 'live' }));
  expect(await section.findByRole('button', { name: /Jazz at Noon/, pressed: false })).toBeTruthy();
  expect(section.getByRole('button', { name: /Go-Go on the Pier/, pressed: true })).toBeTruthy();
  expect(section.getByRole('heading', { level: 3 }).textContent).toBe('Go-Go on the Pier');
});

test('shows the chat of the selected stream, unless the stream’s organizer turned the chat off', async () => {
  open([stream({}), stream({ id: 8, title: 'Jazz at Noon', chatEnabled: false })]);
  expect(await screen.findByText('Chat of Go-Go on the Pier')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /Jazz at Noon/ }));
  expect(screen.queryByText(/^Chat of/)).toBeNull();
});

test('each category has a different color', async () => {
  open(LivestreamCategory.options.map((category, at) => stream({ id: at + 1, category })));
  const section = within(await screen.findByRole('region', { name: 'Live streams' }));
  const colors = LivestreamCategory.options.map((category) => section.getAllByText(category)[0]!.className);
  expect(colors).toHaveLength(6);
  expect(new Set(colors).size).toBe(6);
});

test('the list is polled every 30 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    let streams: LiveStream[] = [];
    const page = open(() => streams);
    await waitFor(() => expect(page.getQueryData(['/api/live-streams'])).toEqual([]));
    streams = [stream({})];
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(await screen.findByRole('region', { name: 'Live streams' })).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

test('a socket message refreshes the list before the next poll', async () => {
  let streams: LiveStream[] = [];
  const page = open(() => streams);
  await waitFor(() => expect(page.getQueryData(['/api/live-streams'])).toEqual([]));
  await waitFor(() => expect(told.handlers.size).toBe(1));
  streams = [stream({})];
  act(() => told.handlers.get('catalog.livestream-changed')!({ eventId: 7, status: 'live' }));
  expect(await screen.findByRole('region', { name: 'Live streams' })).toBeTruthy();
});

test('without live streams the section is hidden', async () => {
  const queries = open([]);
  await waitFor(() => expect(queries.getQueryData(['/api/live-streams'])).toEqual([]));
  expect(screen.queryByRole('region', { name: 'Live streams' })).toBeNull();
});

test.each([
  ['with streams', () => [stream({})], /^Live streams/],
  ['without any', () => [], /^No live streams right now/],
  ['when they cannot be loaded', () => problem(404, 'not-found'), /^Unable to connect to live streams/],
] as const)(
  '‘Live’ in the bar of small screens scrolls to the section on every press: %s',
  async (_what, answer, text) => {
    const shown: unknown[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      shown.push(this.textContent);
    });
    fakeApi({ 'GET /api/live-streams': answer });
    renderAt(
      '/terms',
      <>
        <Link to="/" state={{ showLive: true }}>
          Live
        </Link>
        <Routes>
          <Route path="/" element={<LiveStreams chat={() => null} />} />
          <Route path="*" element={null} />
        </Routes>
      </>,
    );
    for (const times of [1, 2]) {
      await userEvent.click(screen.getByRole('link', { name: 'Live' }));
      await waitFor(() => expect(shown).toHaveLength(times));
      expect(shown.at(-1)).toMatch(text);
      expect(document.activeElement?.textContent).toMatch(text);
    }
  },
);

test('a list that cannot be loaded shows an error with a retry', async () => {
  let isDown = true;
  open(() => (isDown ? problem(503, 'unavailable') : [stream({})]));
  expect(await screen.findByText('Unable to connect to live streams')).toBeTruthy();
  expect(screen.getByText('Please check your connection and try again.')).toBeTruthy();
  isDown = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('region', { name: 'Live streams' })).toBeTruthy();
});
