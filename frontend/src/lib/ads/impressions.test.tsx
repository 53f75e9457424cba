import { act, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openImpressions, useSeen } from './impressions.ts';

/** Reports the element's visible ratio, as the browser does. */
let report: (ratio: number) => void;
let isWatched = false;
class FakeObserver {
  constructor(callback: (changes: Array<{ intersectionRatio: number }>) => void) {
    report = (ratio) => act(() => callback([{ intersectionRatio: ratio }]));
  }
  observe = () => void (isWatched = true);
  disconnect = () => void (isWatched = false);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IntersectionObserver', FakeObserver);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  hide(false);
});
function hide(hidden: boolean): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: hidden ? 'hidden' : 'visible' });
  document.dispatchEvent(new Event('visibilitychange'));
}

function Watched({ onSeen }: { onSeen: () => void }) {
  const place = useRef<HTMLElement>(null);
  useSeen(place, onSeen);
  return <section ref={place} />;
}

test('an ad is seen once, after half of it was on screen for an uninterrupted second', () => {
  const onSeen = vi.fn<() => void>();
  render(<Watched onSeen={onSeen} />);
  report(0.49);
  vi.advanceTimersByTime(5_000);
  expect(onSeen).not.toHaveBeenCalled();
  report(0.5);
  vi.advanceTimersByTime(999);
  report(0.3);
  report(0.9);
  vi.advanceTimersByTime(999);
  expect(onSeen).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onSeen).toHaveBeenCalledOnce();
  expect(isWatched).toBe(false);
});

test('an ad is not seen in a hidden tab or after its removal', () => {
  const onSeen = vi.fn<() => void>();
  const { unmount } = render(<Watched onSeen={onSeen} />);
  hide(true);
  report(1);
  vi.advanceTimersByTime(5_000);
  expect(onSeen).not.toHaveBeenCalled();
  hide(false);
  vi.advanceTimersByTime(500);
  hide(true);
  vi.advanceTimersByTime(5_000);
  hide(false);
  vi.advanceTimersByTime(500);
  unmount();
  vi.advanceTimersByTime(5_000);
  expect(onSeen).not.toHaveBeenCalled();
});

async function sentBy(beacon: ReturnType<typeof vi.fn>): Promise<unknown[]> {
  const blobs = beacon.mock.calls.map(([, body]) => body as Blob);
  return Promise.all(blobs.map(async (blob) => JSON.parse(await blob.text()) as unknown));
}

test('promoted events are reported for each place', async () => {
  const beacon = vi.fn<() => boolean>(() => true);
  vi.stubGlobal('navigator', { sendBeacon: beacon });
  const impressions = openImpressions('view-1');
  impressions.seen('premium', 7);
  impressions.seen('featured', 7);
  impressions.seen('featured', 8);
  impressions.seen('premium', 7);
  impressions.send();
  expect(await sentBy(beacon)).toEqual([{ view: 'view-1', premium: [7], featured: [7, 8] }]);
});

test('impressions are batched into one request, each ad once per view', async () => {
  const beacon = vi.fn<() => boolean>(() => true);
  vi.stubGlobal('navigator', { sendBeacon: beacon });
  const impressions = openImpressions('view-1');
  impressions.seen('ads', 'a');
  impressions.seen('ads', 'b');
  impressions.seen('ads', 'a');
  expect(beacon).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  impressions.seen('ads', 'a');
  impressions.seen('ads', 'c');
  impressions.send();
  impressions.send();
  vi.advanceTimersByTime(5_000);
  expect(await sentBy(beacon)).toEqual([
    { view: 'view-1', ads: ['a', 'b'] },
    { view: 'view-1', ads: ['c'] },
  ]);
});

test.each([
  ['refuses it', { sendBeacon: () => false }],
  ['has no beacons', {}],
])('when the browser %s, a request that outlives the page is used', (_name, navigator) => {
  vi.stubGlobal('navigator', navigator);
  const fetched = vi.fn<() => Promise<Response>>(() => Promise.reject(new TypeError('away')));
  vi.stubGlobal('fetch', fetched);
  const impressions = openImpressions('view-1');
  impressions.seen('ads', 'a');
  impressions.send();
  expect(fetched).toHaveBeenCalledExactlyOnceWith(
    '/api/ads/impressions',
    expect.objectContaining({ method: 'POST', keepalive: true, body: '{"view":"view-1","ads":["a"]}' }),
  );
});
