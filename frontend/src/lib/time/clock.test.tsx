import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answer } from '../../testing/fake-api.ts';
import { eventFixture } from '../../testing/fixtures.ts';
import { Age } from './age.tsx';
import { useEventClock } from '../events/event-clock.ts';
import { useClock } from './clock.ts';
import { saleState } from '../events/event-facts.ts';
import { nearDay } from '../i18n/format.ts';
import { noteServerTime } from './server-clock.ts';

// Noon in New York.
const NOON = new Date('2030-07-12T16:00:00Z');
const HOUR = 3_600_000;

beforeEach(() => vi.useFakeTimers({ now: NOON }));
afterEach(() => {
  vi.restoreAllMocks();
  noteServerTime(answer(200, '', { date: new Date().toUTCString() }), 'POST');
  vi.useRealTimers();
});

const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const inHours = (hours: number) => new Date(NOON.getTime() + hours * HOUR).toISOString();

let renders = 0;
function Sale({ event }: { event: ReturnType<typeof eventFixture> }) {
  renders++;
  const now = useEventClock(event);
  return (
    <p>
      {saleState(event, now)} {nearDay(event.eventDate, now)}
    </p>
  );
}
const said = () => screen.getByRole('paragraph').textContent;

describe('an open page', () => {
  test('renders only at the second when a sale opens or ends and when the event ends', async () => {
    // 8 PM to 11 PM in New York.
    const event = eventFixture({
      ...{ eventDate: '2030-07-12T04:00:00.000Z', eventStartTime: '20:00', eventEndTime: '23:00' },
      ...{ ticketSalesStartTime: inHours(2), ticketSalesEndTime: inHours(4) },
    });
    render(<Sale event={event} />);
    renders = 0;
    expect(said()).toBe('not-yet Today');
    await later(2 * HOUR - 1);
    expect(said()).toBe('not-yet Today');
    expect(renders).toBe(0);
    await later(1);
    expect(said()).toBe('on-sale Today');
    await later(2 * HOUR);
    expect(said()).toBe('ended Today');
    expect(renders).toBeLessThan(6);
  });
  test('switches to the next day at midnight in New York', async () => {
    render(<Sale event={eventFixture({ eventDate: '2030-07-14T04:00:00.000Z', eventStartTime: '20:00' })} />);
    expect(said()).toBe('on-sale ');
    await later(12 * HOUR);
    expect(said()).toBe('on-sale Tomorrow');
    await later(24 * HOUR);
    expect(said()).toBe('on-sale Today');
  });
  test('updates when its device wakes, even if its timers are late', async () => {
    render(<Sale event={eventFixture({ eventDate: '2030-07-12T04:00:00.000Z', ticketSalesStartTime: inHours(2) })} />);
    vi.setSystemTime(new Date(inHours(3)));
    expect(said()).toMatch(/^not-yet/);
    act(() => void document.dispatchEvent(new globalThis.Event('visibilitychange')));
    expect(said()).toMatch(/^on-sale/);
  });
  test('follows the server’s clock once it is known', async () => {
    render(<Sale event={eventFixture({ eventDate: '2030-07-12T04:00:00.000Z', ticketSalesStartTime: inHours(2) })} />);
    act(() => noteServerTime(answer(200, '', { date: new Date(inHours(2)).toUTCString() }), 'POST'));
    expect(said()).toMatch(/^on-sale/);
  });
  test('closes a sale again when the device’s clock turns out to be fast', async () => {
    vi.setSystemTime(new Date(inHours(3)));
    render(<Sale event={eventFixture({ eventDate: '2030-07-12T04:00:00.000Z', ticketSalesStartTime: inHours(2) })} />);
    expect(said()).toMatch(/^on-sale/);
    act(() => noteServerTime(answer(200, '', { date: NOON.toUTCString() }), 'POST'));
    expect(said()).toMatch(/^not-yet/);
    await later(2 * HOUR);
    expect(said()).toMatch(/^on-sale/);
  });
  test('updates within half a minute after a laptop slept, without a browser event', async () => {
    render(<Sale event={eventFixture({ eventDate: '2030-07-12T04:00:00.000Z', ticketSalesStartTime: inHours(2) })} />);
    vi.setSystemTime(new Date(inHours(3)));
    await later(30_000);
    expect(said()).toMatch(/^on-sale/);
  });
  test('waits for a sale that opens in two months without frequent wake-ups', async () => {
    const days = 60;
    const event = eventFixture({
      ...{ eventDate: '2030-10-12T04:00:00.000Z', ticketSalesStartTime: inHours(days * 24) },
    });
    const set = vi.spyOn(globalThis, 'setTimeout');
    render(<Sale event={event} />);
    renders = 0;
    await later(HOUR);
    expect(renders).toBe(0);
    expect(set.mock.calls.length).toBeLessThan(HOUR / 30_000 + 10);
    vi.setSystemTime(new Date(NOON.getTime() + days * 24 * HOUR - 10_000));
    await later(30_000);
    expect(said()).toMatch(/^on-sale/);
  });
  test('updates when the hours of an event change', async () => {
    const event = { ...eventFixture({ eventDate: '2030-07-13T04:00:00.000Z' }), ticketSalesEndTime: inHours(5) };
    const { rerender } = render(<Sale event={event} />);
    await later(3 * HOUR);
    rerender(<Sale event={{ ...event, ticketSalesEndTime: inHours(2) }} />);
    await later(0);
    expect(said()).toMatch(/^ended/);
  });
});

test('a clock can also wake at each full minute', async () => {
  vi.setSystemTime(new Date('2030-07-12T16:00:30Z'));
  const Minute = () => <p>{useClock([], 60_000).toISOString()}</p>;
  render(<Minute />);
  await later(29_999);
  expect(said()).toBe('2030-07-12T16:00:30.000Z');
  await later(1);
  expect(said()).toBe('2030-07-12T16:01:00.000Z');
});

test('the age of a comment grows with each hour since it was written', async () => {
  const Old = () => (
    <p>
      <Age of={new Date(NOON.getTime() - 20 * 60_000).toISOString()} />
    </p>
  );
  render(<Old />);
  expect(said()).toBe('Just now');
  await later(40 * 60_000);
  expect(said()).toBe('1 hour ago');
});

test('leaves no timer behind', async () => {
  const { unmount } = render(<Sale event={eventFixture()} />);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
