import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeHls } from '../../testing/fake-stream.ts';
import { PAUSES, playStream, STALLED_MS, type PlayedStream, type StreamPhase } from './play-stream.ts';

const library = vi.hoisted(() => ({ isReachable: true }));
vi.mock('hls.js/light', () => ({
  get default() {
    if (!library.isReachable) throw new TypeError('Failed to fetch dynamically imported module');
    return FakeHls;
  },
}));

let video: HTMLVideoElement;
let stream: PlayedStream | undefined;
const phases: StreamPhase[] = [];
const onTrouble = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  FakeHls.reset();
  library.isReachable = true;
  phases.length = 0;
  onTrouble.mockClear();
  video = document.createElement('video');
  video.play = vi.fn(() => Promise.resolve());
  video.load = vi.fn();
});
afterEach(() => {
  stream?.stop();
  vi.useRealTimers();
});

const OWN = { url: 'http://localhost:3000/media/live/7/index.m3u8', isOwn: true };
const OUTSIDE = { url: 'https://cdn.example/live.m3u8', isOwn: false };
/** Lets pending promises settle, such as the import of hls.js, without advancing the clock. */
const settled = () => vi.advanceTimersByTimeAsync(0);
async function play(of = OWN): Promise<FakeHls> {
  stream = playStream(video, { ...of, onPhase: (phase) => phases.push(phase), onTrouble });
  await vi.waitFor(() => expect(FakeHls.made.length + phases.length).toBeGreaterThan(of.isOwn ? 1 : 0), {
    timeout: 10_000,
  });
  return FakeHls.made.at(-1)!;
}
/** Advances the clock past the pause after this many tries, including its random part. */
const pass = (tries: number) => vi.advanceTimersByTimeAsync(PAUSES[Math.min(tries, PAUSES.length - 1)]! * 1_250 + 1);

test('hls.js plays the streams of this site, and a stopped player never restarts', async () => {
  const hls = await play();
  expect(hls.source).toBe(OWN.url);
  video.dispatchEvent(new Event('playing'));
  expect(phases).toEqual(['loading', 'playing']);
  stream!.stop();
  expect(hls.isDestroyed).toBe(true);
  hls.fail('network');
  await pass(5);
  expect(FakeHls.made).toHaveLength(1);
  expect(phases).toEqual(['loading', 'playing']);
});

test('a failed playlist is retried with growing pauses, which start over once the stream plays', async () => {
  (await play()).fail('network');
  expect(phases).toEqual(['loading', 'waiting']);
  for (let tries = 0; tries < 8; tries++) {
    const made = FakeHls.made.length;
    await vi.advanceTimersByTimeAsync(PAUSES[Math.min(tries, PAUSES.length - 1)]! * 750 - 1);
    expect(FakeHls.made, `too soon: ${tries}`).toHaveLength(made);
    await pass(tries);
    expect(FakeHls.made, `not again: ${tries}`).toHaveLength(made + 1);
    expect(FakeHls.made[made - 1]!.isDestroyed).toBe(true);
    FakeHls.made.at(-1)!.fail('network');
  }
  expect(onTrouble).toHaveBeenCalledTimes(9);
  await pass(9);
  video.dispatchEvent(new Event('playing'));
  FakeHls.made.at(-1)!.fail('network');
  const made = FakeHls.made.length;
  await pass(0);
  expect(FakeHls.made).toHaveLength(made + 1);
});

test('nonfatal errors are ignored; a media error is recovered once, then the player restarts', async () => {
  const hls = await play();
  hls.fail('network', false);
  expect(phases).toEqual(['loading']);
  hls.fail('media');
  expect(hls.recoveries).toBe(1);
  expect(phases).toEqual(['loading']);
  hls.fail('media');
  expect(hls.isDestroyed).toBe(true);
  expect(phases).toEqual(['loading', 'waiting']);
});

test('a player whose code cannot be loaded is retried', async () => {
  library.isReachable = false;
  await play();
  await vi.waitFor(() => expect(phases).toEqual(['loading', 'waiting']), { timeout: 10_000 });
  expect(FakeHls.made).toHaveLength(0);
  library.isReachable = true;
  await pass(0);
  await settled();
  expect(FakeHls.made).toHaveLength(1);
});

test('a player without a picture for 20 seconds restarts; a player whose picture returns in time does not', async () => {
  await play();
  video.dispatchEvent(new Event('waiting'));
  await vi.advanceTimersByTimeAsync(STALLED_MS - 1);
  video.dispatchEvent(new Event('playing'));
  await vi.advanceTimersByTimeAsync(STALLED_MS * 2);
  expect(phases).toEqual(['loading', 'stalled', 'playing']);
  expect(onTrouble).not.toHaveBeenCalled();
  video.dispatchEvent(new Event('waiting'));
  await vi.advanceTimersByTimeAsync(STALLED_MS);
  expect(phases.slice(3)).toEqual(['stalled', 'waiting']);
  expect(onTrouble).toHaveBeenCalledTimes(1);
});

test('an end mark in the playlist is retried like a fault, because the stream may continue', async () => {
  await play();
  video.dispatchEvent(new Event('ended'));
  expect(phases).toEqual(['loading', 'waiting']);
  expect(onTrouble).toHaveBeenCalledTimes(1);
  stream!.retry();
  await settled();
  expect(FakeHls.made).toHaveLength(2);
  // The manual retry canceled the scheduled retry.
  await pass(0);
  expect(FakeHls.made).toHaveLength(2);
});

test('the browser itself plays streams of other sites; no script fetches their playlists', async () => {
  video.canPlayType = () => 'maybe';
  await play(OUTSIDE);
  await settled();
  expect(video.src).toBe(OUTSIDE.url);
  expect(FakeHls.made).toEqual([]);
  stream!.stop();
  expect(video.getAttribute('src')).toBeNull();
});

test.for([
  ['of this site', OWN],
  ['of another', OUTSIDE],
] as const)('a browser that cannot play such streams shows a message: %s', async ([, of]) => {
  FakeHls.isHere = false;
  video.canPlayType = () => '';
  await play(of);
  await vi.waitFor(() => expect(phases).toEqual(['loading', 'unplayable']), { timeout: 10_000 });
});

test('a viewer who fell behind can jump to the live position', async () => {
  const hls = await play();
  Object.defineProperty(video, 'currentTime', { value: 100, writable: true });
  expect(stream!.isBehind()).toBe(false);
  hls.liveSyncPosition = 108;
  expect(stream!.isBehind()).toBe(false);
  hls.liveSyncPosition = 150;
  expect(stream!.isBehind()).toBe(true);
  stream!.goLive();
  expect(video.currentTime).toBe(150);
  expect(video.play).toHaveBeenCalled();
});
