import type { Broadcast } from '@beltway/contracts/media/broadcast';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, fakeApi, problem } from '../../../testing/fake-api.ts';
import { fakeCamera } from '../../../testing/fake-camera.ts';
import { broadcastFixture } from '../../../testing/fake-stream.ts';
import { sessionFixture } from '../../../testing/fixtures.ts';

const told = vi.hoisted(() => ({ handlers: new Map<string, (data: unknown) => void>() }));
vi.mock('../../../lib/realtime/socket.ts', () => ({
  pageSocket: async () => ({
    on: (name: string, handler: (data: unknown) => void) => told.handlers.set(name, handler),
    off: (name: string) => told.handlers.delete(name),
  }),
}));
// Loads the modules again, because modules that another test file cached use the real connection, not this file's fake.
vi.resetModules();
const { sessionStore } = await import('../../../lib/storage/session-store.ts');
const { renderAt } = await import('../../../testing/render.tsx');
const { Studio } = await import('./studio.tsx');
afterAll(() => void vi.resetModules());
beforeEach(() => {
  sessionStore.set(sessionFixture({ role: 'business' }));
  // Charts need a width, which happy-dom does not compute.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      say: (entries: Array<{ contentRect: { width: number } }>) => void;
      constructor(say: (entries: Array<{ contentRect: { width: number } }>) => void) {
        this.say = say;
      }
      observe = () => this.say([{ contentRect: { width: 600 } }]);
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStore.clear();
});

const AT = '/api/broadcasts/7';
const KEY = `7-${'k'.repeat(32)}`;

/** The studio of event 7. Tests may change `server.broadcast` while it is shown; `ask` refetches it. */
function open(changes: Partial<Broadcast> = {}, answers: Record<string, unknown> = {}) {
  const server = { broadcast: broadcastFixture(changes) };
  const calls = fakeApi({ [`GET ${AT}`]: () => server.broadcast, ...answers });
  const page = renderAt('/studio/7', <Studio eventId={7} chat={<p>The chat</p>} />);
  const ask = () => act(() => page.queries.refetchQueries({ queryKey: ['/api/broadcasts', 7] }));
  return { server, calls, ask, page, sent: () => calls.filter(({ method }) => method !== 'GET') };
}
const panel = async (name: string) => within(await screen.findByRole('region', { name }));
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const press = (name: string | RegExp) => userEvent.click(button(name));
const noIngest = {
  rtmpUrl: null,
  whipUrl: null,
  reason: { message: 'Streaming from OBS isn’t available on this server.' },
};

test('the studio shows the state of the broadcast, how to send, and its chat', async () => {
  open();
  const state = await panel('Status');
  expect(state.getByText('Scheduled')).toBeTruthy();
  expect(state.getByText('Ready. You’re live as soon as you start broadcasting.')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Studio of Go-Go on the Pier');
  const encoder = await panel('From an encoder such as OBS');
  expect(encoder.getAllByRole('listitem')).toHaveLength(3);
  expect(encoder.getByLabelText<HTMLInputElement>('Server').value).toBe('rtmp://live.example.test/live');
  expect(encoder.getByText(/You don’t have a stream key yet/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'View as a viewer' }).getAttribute('href')).toBe('/event/7');
  expect(screen.getByText('The chat')).toBeTruthy();
});

test('a stream key is shown once, can be copied, and is not stored', async () => {
  const user = userEvent.setup();
  const { page, server } = open(
    {},
    {
      [`POST ${AT}/key`]: () => {
        server.broadcast = broadcastFixture({ streamKey: { madeAt: '2030-07-12T22:40:00.000Z', ending: 'kkkk' } });
        return answer(201, { streamKey: KEY, madeAt: '2030-07-12T22:40:00.000Z' });
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Create a stream key' }));
  const field = await screen.findByLabelText<HTMLInputElement>('Stream key');
  expect(field.value).toBe(KEY);
  await user.click(button('Copy the stream key'));
  expect(await screen.findByText('Copied.')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(KEY);
  const kept = JSON.stringify([
    { ...localStorage },
    { ...sessionStorage },
    page.queries
      .getQueryCache()
      .getAll()
      .map(({ state }) => state.data),
  ]);
  expect(kept).not.toContain(KEY);
  expect(window.location.href).not.toContain(KEY);
  page.unmount();
  open({ streamKey: { madeAt: '2030-07-12T22:40:00.000Z', ending: 'kkkk' } });
  expect(await screen.findByText(/Your stream key ends in kkkk\./)).toBeTruthy();
  expect(screen.queryByDisplayValue(KEY)).toBeNull();
});

test('creating a new key warns that the old key stops immediately; a refusal is shown in the same panel', async () => {
  let isRefused = true;
  const { sent } = open(
    {
      status: 'live',
      source: 'rtmp',
      isReceiving: true,
      streamKey: { madeAt: '2030-07-12T22:00:00.000Z', ending: 'oldk' },
    },
    {
      [`POST ${AT}/key`]: () =>
        isRefused
          ? problem(409, 'broadcast-canceled', { detail: 'The event was canceled.' })
          : answer(201, { streamKey: KEY, madeAt: '2030-07-12T22:40:00.000Z' }),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create a new key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a new stream key?' }));
  expect(dialog.getByText(/^The old key stops working right away\. Your encoder has/)).toBeTruthy();
  expect(sent()).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Create a new key' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('The event was canceled.');
  isRefused = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Create a new key' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Stream key')).value).toBe(KEY);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a key that was created elsewhere later hides the old key', async () => {
  const { server, ask } = open(
    {},
    { [`POST ${AT}/key`]: answer(201, { streamKey: KEY, madeAt: '2030-07-12T22:40:00.000Z' }) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Create a stream key' }));
  expect(await screen.findByDisplayValue(KEY)).toBeTruthy();
  server.broadcast = broadcastFixture({ streamKey: { madeAt: '2030-07-12T22:41:00.000Z', ending: 'newr' } });
  await ask();
  expect(await screen.findByText(/Your stream key ends in newr/)).toBeTruthy();
  expect(screen.queryByDisplayValue(KEY)).toBeNull();
});

test('without a media server the studio offers only the URL of another site, and shows the reason', async () => {
  open({ ingest: noIngest });
  expect((await panel('Sending to Beltway')).getByText(noIngest.reason.message)).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'From this camera' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'From an encoder such as OBS' })).toBeNull();
  expect((await panel('Use another service')).getByLabelText('Stream link')).toBeTruthy();
});

test('a URL of another site is checked, saved and started, and removing the URL ends the stream', async () => {
  const url = 'https://www.youtube.com/watch?v=abcdefghijk';
  const { sent, server } = open(
    { ingest: noIngest },
    {
      [`PUT ${AT}/url`]: ({ body }: { body: unknown }) => {
        const { livestreamUrl } = body as { livestreamUrl: string | null };
        const isOver = livestreamUrl === null;
        server.broadcast = broadcastFixture({
          ...server.broadcast,
          livestreamUrl,
          ...(isOver && { status: 'ended', endReason: 'stopped' }),
        });
        return server.broadcast;
      },
      [`POST ${AT}/start`]: () =>
        (server.broadcast = broadcastFixture({
          ...server.broadcast,
          status: 'live',
          source: 'outside',
          isReceiving: true,
        })),
    },
  );
  const field = await screen.findByLabelText<HTMLInputElement>('Stream link');
  for (const hostile of ['javascript:alert(1)', 'http://10.0.0.1/x.m3u8', 'https://evil.test/page', '']) {
    await userEvent.clear(field);
    if (hostile) await userEvent.type(field, hostile);
    await press('Save link');
    expect(await screen.findByText(/^Enter the https link/)).toBeTruthy();
  }
  expect(sent()).toEqual([]);
  await userEvent.type(field, url);
  await press('Save link');
  expect(await screen.findByText('Saved. Viewers will see it when you go live.')).toBeTruthy();
  await press('Go live from your link');
  expect(await screen.findByText('LIVE')).toBeTruthy();
  await press('Remove');
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove and end' }));
  expect(await screen.findByText('Ended')).toBeTruthy();
  expect(field.value).toBe('');
  expect(sent().map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PUT', `${AT}/url`, { livestreamUrl: url }],
    ['POST', `${AT}/start`, undefined],
    ['PUT', `${AT}/url`, { livestreamUrl: null }],
  ]);
});

test('ending a live stream asks for confirmation, and the stream can be started again', async () => {
  let isAway = true;
  const { server, sent } = open(
    { status: 'live', source: 'rtmp', isReceiving: true, liveSince: '2030-07-12T23:00:00.000Z' },
    {
      [`POST ${AT}/stop`]: () => {
        if (isAway) throw new TypeError('fetch failed');
        return (server.broadcast = broadcastFixture({ status: 'ended', endReason: 'stopped' }));
      },
      [`POST ${AT}/start`]: () => (server.broadcast = broadcastFixture()),
    },
  );
  expect(await screen.findByText(/^Live since Fri, Jul 12, 2030, 7 PM ET, from your encoder\.$/)).toBeTruthy();
  await press('End the live stream');
  const dialog = within(await screen.findByRole('dialog', { name: 'End the live stream?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'End the live stream' }));
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^We can’t reach Beltway/);
  isAway = false;
  await userEvent.click(dialog.getByRole('button', { name: 'End the live stream' }));
  expect(await screen.findByText('You ended it. Viewers see that it’s over.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  await press('Start again');
  expect(await screen.findByText('Ready. You’re live as soon as you start broadcasting.')).toBeTruthy();
  expect(sent().map(({ path }) => path)).toEqual([`${AT}/stop`, `${AT}/stop`, `${AT}/start`]);
});

test('this browser’s camera starts a broadcast, and stops when the broadcast ends elsewhere or the user leaves', async () => {
  const { tracks, connections } = fakeCamera();
  const whip = () => answer(201, 'v=0', { location: `${AT}/whip/camera-1` });
  const { server, ask, page, sent } = open(
    {},
    { [`POST ${AT}/whip`]: whip, [`DELETE ${AT}/whip/camera-1`]: () => answer(204) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Use this camera' }));
  expect(await screen.findByText('Only you can see this.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLVideoElement>('Your camera preview').muted).toBe(true);
  await press('Go live with this camera');
  expect(await screen.findByText('You’re on air. Keep this page open.')).toBeTruthy();
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);

  // A media server that is briefly unreachable does not end the camera’s stream.
  server.broadcast = broadcastFixture({ status: 'live', source: 'whip', isReceiving: true, ingest: noIngest });
  await ask();
  expect(await screen.findByText(noIngest.reason.message)).toBeTruthy();
  expect(connections[0]!.isClosed).toBe(false);

  server.broadcast = broadcastFixture({ status: 'ended', endReason: 'stopped' });
  await ask();
  expect(await screen.findByText(/Start it again above to broadcast from here/)).toBeTruthy();
  expect(connections[0]!.isClosed).toBe(true);
  expect(sent().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  expect(button('Go live with this camera').hasAttribute('disabled')).toBe(true);

  server.broadcast = broadcastFixture();
  await ask();
  await waitFor(() => expect(button('Go live with this camera').hasAttribute('disabled')).toBe(false));
  await press('Go live with this camera');
  await screen.findByText('You’re on air. Keep this page open.');
  page.unmount();
  expect(sent().map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST', 'DELETE']);
  expect(tracks.every(({ isStopped }) => isStopped)).toBe(true);
});

test('a refused camera shows what to do, and can be tried again', async () => {
  fakeCamera({ refusals: ['NotAllowedError'] });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Use this camera' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/Allow camera and microphone for this page/);
  await press('Use this camera');
  expect(await screen.findByText('Only you can see this.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('before the stream’s hours, the camera has a preview, and the studio shows when it will accept a signal', async () => {
  fakeCamera();
  open({
    canStart: false,
    notNow: { message: 'It’s too early. You can start broadcasting 30 minutes before the start.' },
  });
  expect((await panel('Status')).getByText(/^Starts Fri, Jul 12, 2030, 7 PM ET\. It’s too early/)).toBeTruthy();
  await press('Use this camera');
  await screen.findByText('Only you can see this.');
  expect(button('Go live with this camera').hasAttribute('disabled')).toBe(true);
});

test('viewers are counted, drawn as a chart and listed in a table', async () => {
  const points = [
    { at: '2030-07-12T23:00:00.000Z', viewers: 12 },
    { at: '2030-07-12T23:01:00.000Z', viewers: 41 },
  ];
  open({ status: 'live', source: 'rtmp', isReceiving: true, viewers: { now: 40, peak: 41, total: 1_234, points } });
  const viewers = await panel('Viewers');
  expect(viewers.getByText('Watching now').nextSibling?.textContent).toBe('40 of 500');
  expect(viewers.getByText('Total viewers').nextSibling?.textContent).toBe('1,234');
  expect(await viewers.findByRole('img', { name: 'Viewers from 7 PM to 7:01 PM ET: peak 41' })).toBeTruthy();
  const rows = within(viewers.getByRole('table', { hidden: true })).getAllByRole('row', { hidden: true });
  expect(rows.map(({ textContent }) => textContent)).toEqual(['FromPeak', '7 PM12', '7:01 PM41']);
});

test('after the end the studio shows figures and recordings, and no controls to send a signal', async () => {
  const recording = {
    id: '6f2c1a2e-0000-4000-8000-000000000001',
    startedAt: '2030-07-12T23:00:00.000Z',
    durationSeconds: 3_960,
    bytes: 412_000_000,
  };
  open({
    ...{
      status: 'ended',
      endReason: 'time',
      canStart: false,
      notNow: { message: 'This live stream’s time is up.' },
    },
    viewers: { now: 0, peak: 41, total: 97, points: [] },
    recordings: [
      { ...recording, url: '/media/recordings/1/x.mp4' },
      { ...recording, id: '6f2c1a2e-0000-4000-8000-000000000002', url: 'javascript:alert(1)' },
    ],
    isRecordingPending: true,
  });
  const recordings = await panel('Recordings');
  expect(recordings.getAllByRole('listitem')[0]!.textContent).toMatch(
    /^Part 1 · Fri, Jul 12, 2030, 7 PM ET · 1 h 6 min · 412 MB/,
  );
  expect(recordings.getByRole('link', { name: 'Save part 1' }).getAttribute('href')).toMatch(
    /\/media\/recordings\/1\/x\.mp4$/,
  );
  expect(recordings.queryByRole('link', { name: 'Save part 2' })).toBeNull();
  expect(recordings.getByText('We can’t show this recording.')).toBeTruthy();
  expect(recordings.getByText('A recording is being prepared.')).toBeTruthy();
  expect((await panel('Viewers')).getByText('Peak viewers').nextSibling?.textContent).toBe('41');
  expect(screen.queryByRole('region', { name: /^From/ })).toBeNull();
});

test('a live stream that was canceled with its event cannot be sent or started', async () => {
  open({
    status: 'canceled',
    canStart: false,
    notNow: { message: 'The event was canceled.' },
    endReason: 'canceled',
  });
  expect(await screen.findByText('The event was canceled, so its live stream was too.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: /^From/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Go live|Start|End/ })).toBeNull();
});

test('a hostile title is shown as text', async () => {
  const title = '<img src=x onerror=alert(1)>\u202e live';
  open({ title });
  const heading = await screen.findByRole('heading', { level: 1 });
  expect(heading.textContent).toBe(`Studio of ${title}`);
  expect(heading.querySelector('img')).toBeNull();
  expect(heading.querySelector('bdi')?.textContent).toBe(title);
});

test('another account sees no studio; an organizer who has just paid finds it a moment later', async () => {
  let isThere = false;
  open({}, { [`GET ${AT}`]: () => (isThere ? broadcastFixture() : problem(404, 'not-found')) });
  expect(await screen.findByRole('heading', { level: 1, name: 'No live stream here' })).toBeTruthy();
  expect(screen.queryByText('The chat')).toBeNull();
  isThere = true;
  await press('Check again');
  expect(await screen.findByRole('heading', { level: 1, name: /^Studio of/ })).toBeTruthy();
});

test('an unreachable server is reported, alone before the first response, and later above the last data', async () => {
  let isAway = true;
  const { ask } = open(
    {},
    {
      [`GET ${AT}`]: () => {
        if (isAway) throw new TypeError('fetch failed');
        return broadcastFixture();
      },
    },
  );
  expect(await screen.findByText('Couldn’t load the studio')).toBeTruthy();
  isAway = false;
  await press('Retry');
  expect(await screen.findByText('Scheduled')).toBeTruthy();
  isAway = true;
  await ask();
  expect(await screen.findByText(/^We can’t reach Beltway\. This is the last known status/)).toBeTruthy();
  expect(screen.getByText('Scheduled')).toBeTruthy();
});

test('a socket message refreshes the studio before the next poll', async () => {
  const { server } = open();
  await screen.findByText('Scheduled');
  await waitFor(() => expect(told.handlers.has('catalog.livestream-changed')).toBe(true));
  server.broadcast = broadcastFixture({ status: 'live', source: 'rtmp', isReceiving: true });
  act(() => told.handlers.get('catalog.livestream-changed')!({ eventId: 7 }));
  expect(await screen.findByText('LIVE')).toBeTruthy();
});

test('the studio requires a signed-in account, and a URL without an event number has no studio', async () => {
  fakeApi({});
  const page = renderAt('/studio/abc');
  expect(await screen.findByRole('heading', { level: 1, name: 'No live stream here' })).toBeTruthy();
  page.unmount();
  sessionStore.clear();
  renderAt('/studio/7');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toMatch(/^\/auth/));
});
