import type { Playback } from '@beltway/contracts/media/broadcast';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionStore } from '../../lib/storage/session-store.ts';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { FakeHls, playbackFixture, seatFixture } from '../../testing/fake-stream.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { renderAt } from '../../testing/render.tsx';
import { StreamPlayer } from './stream-player.tsx';

vi.mock('hls.js/light', () => ({ default: FakeHls }));

const PLAYBACK = 'GET /api/live-streams/7/playback';
let seats: { method: string; path: string }[] = [];
/** Opens the player; `seat` answers the seat requests. */
function open(playback: unknown, seat: () => unknown = () => seatFixture(), title = 'Go-Go on the Pier') {
  seats = [];
  const calls = fakeApi({ [PLAYBACK]: playback });
  const other = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    if (!input.startsWith('/api/live-streams/7/viewers/')) return other(input, init);
    seats.push({ method: init.method ?? 'GET', path: input });
    if (init.method === 'DELETE') return answer(204);
    const said = await seat();
    return said instanceof Response ? said : answer(200, said);
  });
  const page = renderAt('/', <StreamPlayer eventId={7} title={title} poster="/media/posters/7.webp" />);
  return { ...page, calls };
}
const watch = async () => userEvent.click(await screen.findByRole('button', { name: 'Watch live' }));
const video = () => screen.findByLabelText<HTMLVideoElement>('Live stream of Go-Go on the Pier');

beforeEach(() => {
  FakeHls.reset();
  HTMLMediaElement.prototype.play = () => Promise.resolve();
});
afterEach(() => {
  // Unmounts while the network is still fake, because unmounting releases the seats.
  cleanup();
  vi.unstubAllGlobals();
});

describe('before a viewer presses play', () => {
  test('the player shows the poster, loads no stream and requests no seat', async () => {
    open(playbackFixture());
    expect(await screen.findByRole('button', { name: 'Watch live' })).toBeTruthy();
    expect(screen.getByText('41 people are watching')).toBeTruthy();
    expect(seats).toEqual([]);
    expect(FakeHls.made).toEqual([]);
    expect(document.querySelector('video, iframe')).toBeNull();
  });
  test.for([
    ['scheduled', { status: 'scheduled' }, 'Plays here from Fri, Jul 12, 2030, 7 PM ET'],
    ['over', { status: 'ended' }, 'This live stream is over'],
    ['canceled', { status: 'canceled' }, 'This live stream was canceled'],
    ['full', { bar: 'full' }, 'The stream is full'],
    ['only for ticket holders', { bar: 'ticket' }, 'This stream is for ticket holders'],
    ['only for signed-in viewers', { bar: 'sign-in' }, 'This stream is for ticket holders'],
    ['live, without a picture', { isReceiving: false }, 'No signal right now.'],
    ['live, with the demo’s clip', { isClip: true }, 'Demo clip, not a live camera.'],
  ] as const)('a stream that is %s shows that', async ([, changes, words]) => {
    open(playbackFixture(changes as Partial<Playback>));
    expect(await screen.findByText(words)).toBeTruthy();
    const canWatch = !('status' in changes) && !('bar' in changes);
    expect(screen.queryByRole('button', { name: 'Watch live' }) !== null).toBe(canWatch);
  });
  test('a viewer without a ticket gets a link to buy one', async () => {
    open(playbackFixture({ bar: 'ticket' }));
    const ticket = await screen.findByRole('link', { name: 'Get a ticket' });
    expect(ticket.getAttribute('href')).toBe('/ticket-checkout?eventId=7');
  });
  test('an unreachable server is reported in the specified words, with a retry', async () => {
    let isDown = true;
    open(() => (isDown ? problem(503, 'unavailable') : playbackFixture()));
    expect(await screen.findByText('Unable to connect to live streams')).toBeTruthy();
    expect(screen.getByText('Please check your connection and try again.')).toBeTruthy();
    isDown = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Watch live' })).toBeTruthy();
  });
  test('a recording can be played after the stream is over', async () => {
    const recordings = ['a', 'b'].map((name) => ({
      ...{ id: crypto.randomUUID(), startedAt: '2030-07-12T23:00:00.000Z', durationSeconds: 60, bytes: 9 },
      url: `/media/recordings/${name}.mp4`,
    }));
    open(playbackFixture({ status: 'ended', recordings }));
    await userEvent.click(await screen.findByRole('button', { name: 'Watch part 2 of the recording' }));
    const shown = screen.getByLabelText<HTMLVideoElement>('Recording of Go-Go on the Pier');
    expect(new URL(shown.src).pathname).toBe('/media/recordings/b.mp4');
  });
});

describe('once a viewer watches', () => {
  test('the viewer gets a seat, the stream plays, and leaving releases the seat', async () => {
    const page = open(playbackFixture());
    await watch();
    const element = await video();
    expect(document.activeElement).toBe(element);
    await waitFor(() => expect(FakeHls.made).toHaveLength(1));
    expect(FakeHls.made[0]!.source).toBe(`${window.location.origin}/media/live/7/viewer-1/index.m3u8`);
    page.unmount();
    expect(FakeHls.made[0]!.isDestroyed).toBe(true);
    expect(seats.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
    expect(new Set(seats.map(({ path }) => path)).size).toBe(1);
    expect(seats[0]!.path).toMatch(/\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
  test.for([
    [401, 'sign-in-needed', 'Sign in to watch'],
    [403, 'ticket-needed', 'Get a ticket'],
  ] as const)('%s %s: the player says what to do, and stays on the page', async ([status, code, link]) => {
    open(playbackFixture(), () => problem(status, code, { detail: 'No.' }));
    await watch();
    expect(await screen.findByRole('link', { name: link })).toBeTruthy();
    expect(screen.getByTestId('address').textContent).toBe('/');
    expect(FakeHls.made).toEqual([]);
  });
  test('a signed-in viewer without a ticket stays signed in', async () => {
    sessionStore.set(sessionFixture());
    open(playbackFixture(), () => problem(403, 'ticket-needed'));
    await watch();
    await screen.findByRole('link', { name: 'Get a ticket' });
    expect(sessionStore.get().token).not.toBeNull();
  });
  test('a full stream is retried, and plays when a seat is free', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      let isFull = true;
      open(playbackFixture(), () => (isFull ? problem(409, 'stream-full') : seatFixture()));
      await userEvent
        .setup({ advanceTimers: vi.advanceTimersByTime })
        .click(await screen.findByRole('button', { name: 'Watch live' }));
      expect(await screen.findByText('The stream is full')).toBeTruthy();
      isFull = false;
      await act(() => vi.advanceTimersByTimeAsync(16_000));
      expect(await video()).toBeTruthy();
    } finally {
      vi.useRealTimers();
    }
  });
  test('the end of a stream is shown during playback, and the stream plays again only after a press', async () => {
    let status: Playback['status'] = 'live';
    const { queries } = open(
      () => playbackFixture({ status }),
      () => (status === 'live' ? seatFixture() : problem(409, 'not-live', { detail: 'It’s over.' })),
    );
    await watch();
    await video();
    await waitFor(() => expect(FakeHls.made).toHaveLength(1));
    status = 'ended';
    act(() => FakeHls.made[0]!.fail('network'));
    expect(await screen.findByText('This live stream is over')).toBeTruthy();
    expect(document.querySelector('video')).toBeNull();
    status = 'live';
    await act(() => queries.invalidateQueries());
    expect(await screen.findByRole('button', { name: 'Watch live' })).toBeTruthy();
    expect(document.querySelector('video')).toBeNull();
  });
  test('a failed playlist is reported and retried, and the seat is renewed immediately', async () => {
    open(playbackFixture());
    await watch();
    await video();
    await waitFor(() => expect(FakeHls.made).toHaveLength(1));
    act(() => FakeHls.made[0]!.fail('network'));
    expect(await screen.findByText('The video stopped. Trying again…')).toBeTruthy();
    await waitFor(() => expect(seats.filter(({ method }) => method === 'PUT')).toHaveLength(2));
    await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(FakeHls.made.length).toBeGreaterThan(1));
  });
  test('‘Go live’ appears for a viewer who fell behind', async () => {
    open(playbackFixture());
    await watch();
    const element = await video();
    await waitFor(() => expect(FakeHls.made).toHaveLength(1));
    act(() => void element.dispatchEvent(new Event('playing')));
    expect(screen.queryByRole('button', { name: 'Go live' })).toBeNull();
    FakeHls.made[0]!.liveSyncPosition = 60;
    act(() => void element.dispatchEvent(new Event('timeupdate')));
    await userEvent.click(await screen.findByRole('button', { name: 'Go live' }));
    expect(element.currentTime).toBe(60);
    expect(document.activeElement).toBe(element);
  });
  test('a player of another site is framed in a sandbox with few rights', async () => {
    const url = 'https://www.youtube-nocookie.com/embed/abcdef';
    open(playbackFixture(), () => seatFixture({ kind: 'embed', url }), '"><script>alert(1)</script>');
    await watch();
    const frame = await screen.findByTitle<HTMLIFrameElement>('Live stream of "><script>alert(1)</script>');
    expect(frame.getAttribute('src')).toBe(url);
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-presentation');
    expect(document.querySelector('script[src], body script')).toBeNull();
    expect(FakeHls.made).toEqual([]);
  });
  test.for([
    ['embed', 'https://evil.example/embed/1'],
    ['embed', 'javascript:alert(1)'],
    ['hls', 'javascript:alert(1)//.m3u8'],
    ['hls', 'data:application/vnd.apple.mpegurl,x'],
    ['hls', 'http://cdn.example/live.m3u8'],
  ] as const)('%s %s is not shown', async ([kind, url]) => {
    open(playbackFixture(), () => seatFixture({ kind, url }));
    await watch();
    expect(await screen.findByText('We can’t show this stream')).toBeTruthy();
    expect(document.querySelector('video, iframe')).toBeNull();
  });
});
