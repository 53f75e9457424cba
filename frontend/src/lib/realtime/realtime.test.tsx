import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

const socket = vi.hoisted(() => ({
  connected: false,
  handlers: {} as Record<string, (data?: unknown) => void>,
  emit: vi.fn(),
  off: vi.fn(),
  on(name: string, handler: (data?: unknown) => void) {
    socket.handlers[name] = handler;
  },
}));
const io = vi.hoisted(() => vi.fn());
vi.mock('socket.io-client', () => ({ io: io.mockImplementation(() => socket) }));

// Simulates a new page load: tests of another file may have opened the page's only connection.
vi.resetModules();
const { createQueryClient } = await import('../http/query.ts');
const { showsStockOf, useStock } = await import('./realtime.ts');
afterAll(() => void vi.resetModules());
// One query client for all tests, because the connection keeps the first client it gets.
const queries = createQueryClient();
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('watches, requests the stock on a change and after a reconnect, and unwatches', async () => {
  const invalidate = vi.spyOn(queries, 'invalidateQueries');
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { unmount } = renderHook(() => useStock([8, 7, 7]), { wrapper });
  const other = renderHook(() => useStock([7]), { wrapper });
  await act(() => vi.advanceTimersByTimeAsync(0));
  socket.connected = true;
  socket.handlers['connect']?.();
  // Polling is only the fallback, because each poll occupies a request at the server.
  expect(io).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ transports: ['websocket', 'polling'], tryAllTransports: true }),
  );
  expect(socket.emit).toHaveBeenCalledWith('watch-stock', [7, 8]);
  expect(invalidate).not.toHaveBeenCalled();

  // Many changes in a short time make one request.
  for (let sale = 0; sale < 50; sale++) socket.handlers['ticketing.stock-changed']?.({ eventId: 7, version: sale });
  await vi.advanceTimersByTimeAsync(1000);
  expect(invalidate).toHaveBeenCalledTimes(1);

  socket.handlers['connect']?.();
  await vi.advanceTimersByTimeAsync(1000);
  expect(socket.emit).toHaveBeenLastCalledWith('watch-stock', [7, 8]);
  expect(invalidate).toHaveBeenCalledTimes(2);

  unmount();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(socket.emit).toHaveBeenLastCalledWith('unwatch-stock', [8]);
  other.unmount();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(socket.emit).toHaveBeenLastCalledWith('unwatch-stock', [7]);
});

test('requests the stock again when the server was unreachable after a change', async () => {
  const answers = [new TypeError('fetch failed'), { soldTickets: 2 }];
  const queryFn = vi.fn(async () => {
    const answer = answers.shift() ?? { soldTickets: 1 };
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  queries.setQueryData(['/api/events', 7], { soldTickets: 1 });
  const shown = renderHook(() => (useStock([7]), useQuery({ queryKey: ['/api/events', 7], queryFn }).data), {
    wrapper,
  });
  await act(() => vi.advanceTimersByTimeAsync(0));
  socket.handlers['ticketing.stock-changed']?.({ eventId: 7, version: 60 });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(queryFn).toHaveBeenCalledTimes(1);
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(shown.result.current).toEqual({ soldTickets: 2 });
  expect(queryFn).toHaveBeenCalledTimes(2);
});

test('requests the stock again until the response has the announced version', async () => {
  let asked = 0;
  // The fake catalog receives the change after the third request.
  const queryFn = vi.fn(async () => ({ id: 7, stockVersion: ++asked < 4 ? 70 : 71 }));
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  queries.removeQueries();
  const shown = renderHook(() => (useStock([7]), useQuery({ queryKey: ['/api/events', 7], queryFn }).data), {
    wrapper,
  });
  await act(() => vi.advanceTimersByTimeAsync(0));
  socket.handlers['ticketing.stock-changed']?.({ eventId: 7, version: 71 });
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(shown.result.current).toEqual({ id: 7, stockVersion: 71 });
  expect(queryFn).toHaveBeenCalledTimes(4);
});

test('finds the queries that show an event’s stock', () => {
  const ids = new Set([7]);
  expect(showsStockOf(['/api/events'], ids)).toBe(true);
  expect(showsStockOf(['/api/events', 'featured'], ids)).toBe(true);
  expect(showsStockOf(['/api/events', 7], ids)).toBe(true);
  expect(showsStockOf(['/api/events', 7, 'availability'], ids)).toBe(true);
  expect(showsStockOf(['/api/events', 8], ids)).toBe(false);
  expect(showsStockOf(['/api/tickets/sales'], ids)).toBe(true);
  expect(showsStockOf(['/api/tickets/my-tickets'], ids)).toBe(false);
});
