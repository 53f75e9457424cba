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
// A new page load: what tests of another file loaded has the real connection, and theirs is not to find this one.
vi.resetModules();
const { sessionStore } = await import('../../../lib/storage/session-store.ts');
const { renderAt } = await import('../../../testing/render.tsx');
const { Studio } = await import('./studio.tsx');
afterAll(() => void vi.resetModules());
beforeEach(() => {
  sessionStore.set(sessionFixture({ role: 'business' }));
  // Charts are drawn for the width they have; here nothing has one.
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

/** The studio of event 7. The state may be changed while it is shown; `ask` has the page ask again. */
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
  reason: { message: 'This Beltway takes in no signal: no media server is running here.' },
};

test('it says where the broadcast stands, how to send, and has its chat', async () => {
  open();
  const state = await panel('Where it stands');
  expect(state.getByText('Scheduled')).toBeTruthy();
  expect(state.getByText('Ready. The first picture that you send is live.')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Studio of Go-Go on the Pier');
  const encoder = await panel('From an encoder such as OBS');
  expect(encoder.getAllByRole('listitem')).toHaveLength(3);
  expect(encoder.getByLabelText<HTMLInputElement>('Server').value).toBe('rtmp://live.example.test/live');
  expect(encoder.getByText(/There is no stream key yet/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See it as viewers do' }).getAttribute('href')).toBe('/event/7');
  expect(screen.getByText('The chat')).toBeTruthy();
});

test('a key is shown once, copied, and kept nowhere', async () => {
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
  await user.click(await screen.findByRole('button', { name: 'Make a stream key' }));
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

test('a new key is made after a warning that the old one stops at once; a refusal is said where it was asked', async () => {
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
  await userEvent.click(await screen.findByRole('button', { name: 'Make a new key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Make a new stream key?' }));
  expect(dialog.getByText(/^The old key stops at once\. Your encoder is cut off/)).toBeTruthy();
  expect(sent()).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Make a new key' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('The event was canceled.');
  isRefused = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Make a new key' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Stream key')).value).toBe(KEY);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a key that somebody else made since takes the old one out of sight', async () => {
  const { server, ask } = open(
    {},
    { [`POST ${AT}/key`]: answer(201, { streamKey: KEY, madeAt: '2030-07-12T22:40:00.000Z' }) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Make a stream key' }));
  expect(await screen.findByDisplayValue(KEY)).toBeTruthy();
  server.broadcast = broadcastFixture({ streamKey: { madeAt: '2030-07-12T22:41:00.000Z', ending: 'newr' } });
  await ask();
  expect(await screen.findByText(/Your stream key ends in newr/)).toBeTruthy();
  expect(screen.queryByDisplayValue(KEY)).toBeNull();
});

test('without a media server an address elsewhere is the only way, and that is said', async () => {
  open({ ingest: noIngest });
  expect((await panel('Sending to Beltway')).getByText(noIngest.reason.message)).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'From this camera' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'From an encoder such as OBS' })).toBeNull();
  expect((await panel('From elsewhere')).getByLabelText('Address of your stream')).toBeTruthy();
});

test('an address elsewhere is checked, saved, started, and ended by taking it away', async () => {
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
  const field = await screen.findByLabelText<HTMLInputElement>('Address of your stream');
  for (const hostile of ['javascript:alert(1)', 'http://10.0.0.1/x.m3u8', 'https://evil.test/page', '']) {
    await userEvent.clear(field);
    if (hostile) await userEvent.type(field, hostile);
    await press('Save the address');
    expect(await screen.findByText(/^Please give an https address/)).toBeTruthy();
  }
  expect(sent()).toEqual([]);
  await userEvent.type(field, url);
  await press('Save the address');
  expect(await screen.findByText('Saved. It is shown when you go live.')).toBeTruthy();
  await press('Go live from your address');
  expect(await screen.findByText('LIVE')).toBeTruthy();
  await press('Take it away');
  await userEvent.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Take it away and end' }),
  );
  expect(await screen.findByText('Ended')).toBeTruthy();
  expect(field.value).toBe('');
  expect(sent().map(({ method, path, body }) => [method, path, body])).toEqual([
    ['PUT', `${AT}/url`, { livestreamUrl: url }],
    ['POST', `${AT}/start`, undefined],
    ['PUT', `${AT}/url`, { livestreamUrl: null }],
  ]);
});

test('a live stream is ended after a question, and can be started again', async () => {
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
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^Beltway cannot be reached/);
  isAway = false;
  await userEvent.click(dialog.getByRole('button', { name: 'End the live stream' }));
  expect(await screen.findByText('It was ended here. Viewers see that it is over.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  await press('Start again');
  expect(await screen.findByText('Ready. The first picture that you send is live.')).toBeTruthy();
  expect(sent().map(({ path }) => path)).toEqual([`${AT}/stop`, `${AT}/stop`, `${AT}/start`]);
});

test('this browser’s camera goes on air, and off it when the broadcast ends elsewhere or the page is left', async () => {
  const { tracks, connections } = fakeCamera();
  const whip = () => answer(201, 'v=0', { location: `${AT}/whip/camera-1` });
  const { server, ask, page, sent } = open(
    {},
    { [`POST ${AT}/whip`]: whip, [`DELETE ${AT}/whip/camera-1`]: () => answer(204) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Use this camera' }));
  expect(await screen.findByText('Only you see this.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLVideoElement>('What your camera shows').muted).toBe(true);
  await press('Go live with this camera');
  expect(await screen.findByText('You are on air. Leave this page open.')).toBeTruthy();
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);

  // A media server that is gone for a moment takes no camera off the air.
  server.broadcast = broadcastFixture({ status: 'live', source: 'whip', isReceiving: true, ingest: noIngest });
  await ask();
  expect(await screen.findByText(noIngest.reason.message)).toBeTruthy();
  expect(connections[0]!.isClosed).toBe(false);

  server.broadcast = broadcastFixture({ status: 'ended', endReason: 'stopped' });
  await ask();
  expect(await screen.findByText(/Start it again above to send from here/)).toBeTruthy();
  expect(connections[0]!.isClosed).toBe(true);
  expect(sent().map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  expect(button('Go live with this camera').hasAttribute('disabled')).toBe(true);

  server.broadcast = broadcastFixture();
  await ask();
  await waitFor(() => expect(button('Go live with this camera').hasAttribute('disabled')).toBe(false));
  await press('Go live with this camera');
  await screen.findByText('You are on air. Leave this page open.');
  page.unmount();
  expect(sent().map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST', 'DELETE']);
  expect(tracks.every(({ isStopped }) => isStopped)).toBe(true);
});

test('a camera that is refused says what to do, and can be tried again', async () => {
  fakeCamera({ refusals: ['NotAllowedError'] });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Use this camera' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/Allow camera and microphone for this page/);
  await press('Use this camera');
  expect(await screen.findByText('Only you see this.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('too early the camera can be looked at, and it says when pictures are taken', async () => {
  fakeCamera();
  open({
    canStart: false,
    notNow: { message: 'It is too early: a signal is taken from 30 minutes before the start on.' },
  });
  expect(
    (await panel('Where it stands')).getByText(/^It begins Fri, Jul 12, 2030, 7 PM ET\. It is too early/),
  ).toBeTruthy();
  await press('Use this camera');
  await screen.findByText('Only you see this.');
  expect(button('Go live with this camera').hasAttribute('disabled')).toBe(true);
});

test('viewers are counted, drawn and said by a table', async () => {
  const points = [
    { at: '2030-07-12T23:00:00.000Z', viewers: 12 },
    { at: '2030-07-12T23:01:00.000Z', viewers: 41 },
  ];
  open({ status: 'live', source: 'rtmp', isReceiving: true, viewers: { now: 40, peak: 41, total: 1_234, points } });
  const viewers = await panel('Viewers');
  expect(viewers.getByText('Watching now').nextSibling?.textContent).toBe('40 of 500');
  expect(viewers.getByText('Viewers in all').nextSibling?.textContent).toBe('1,234');
  expect(await viewers.findByRole('img', { name: 'Viewers from 7 PM to 7:01 PM ET: 41 at most' })).toBeTruthy();
  const rows = within(viewers.getByRole('table', { hidden: true })).getAllByRole('row', { hidden: true });
  expect(rows.map(({ textContent }) => textContent)).toEqual(['FromViewers at most', '7 PM12', '7:01 PM41']);
});

test('afterwards there are figures and recordings, and no way to send', async () => {
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
      notNow: { message: 'The hours of this live stream are over.' },
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
  expect(recordings.getByText('This recording cannot be shown.')).toBeTruthy();
  expect(recordings.getByText('A recording is being made ready.')).toBeTruthy();
  expect((await panel('Viewers')).getByText('Most at a time').nextSibling?.textContent).toBe('41');
  expect(screen.queryByRole('region', { name: /^From/ })).toBeNull();
});

test('canceled with its event nothing can be sent or started', async () => {
  open({
    status: 'canceled',
    canStart: false,
    notNow: { message: 'The event was canceled.' },
    endReason: 'canceled',
  });
  expect(await screen.findByText('The event was canceled, and its live stream with it.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: /^From/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Go live|Start|End/ })).toBeNull();
});

test('a hostile title is a text', async () => {
  const title = '<img src=x onerror=alert(1)>\u202e live';
  open({ title });
  const heading = await screen.findByRole('heading', { level: 1 });
  expect(heading.textContent).toBe(`Studio of ${title}`);
  expect(heading.querySelector('img')).toBeNull();
  expect(heading.querySelector('bdi')?.textContent).toBe(title);
});

test('others are refused, and who has just paid finds it a moment later', async () => {
  let isThere = false;
  open({}, { [`GET ${AT}`]: () => (isThere ? broadcastFixture() : problem(404, 'not-found')) });
  expect(await screen.findByRole('heading', { level: 1, name: 'No Live Stream of Yours' })).toBeTruthy();
  expect(screen.queryByText('The chat')).toBeNull();
  isThere = true;
  await press('Look again');
  expect(await screen.findByRole('heading', { level: 1, name: /^Studio of/ })).toBeTruthy();
});

test('a server that is away is said: before there is anything, and over what stood before', async () => {
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
  expect(await screen.findByText('The studio could not be loaded')).toBeTruthy();
  isAway = false;
  await press('Retry');
  expect(await screen.findByText('Scheduled')).toBeTruthy();
  isAway = true;
  await ask();
  expect(await screen.findByText(/^Beltway does not answer\. This is how it stood before/)).toBeTruthy();
  expect(screen.getByText('Scheduled')).toBeTruthy();
});

test('what the socket tells is there sooner than the next look', async () => {
  const { server } = open();
  await screen.findByText('Scheduled');
  await waitFor(() => expect(told.handlers.has('catalog.livestream-changed')).toBe(true));
  server.broadcast = broadcastFixture({ status: 'live', source: 'rtmp', isReceiving: true });
  act(() => told.handlers.get('catalog.livestream-changed')!({ eventId: 7 }));
  expect(await screen.findByText('LIVE')).toBeTruthy();
});

test('its address is for who is signed in, and none without a number', async () => {
  fakeApi({});
  const page = renderAt('/studio/abc');
  expect(await screen.findByRole('heading', { level: 1, name: 'No Live Stream of Yours' })).toBeTruthy();
  page.unmount();
  sessionStore.clear();
  renderAt('/studio/7');
  await waitFor(() => expect(screen.getByTestId('address').textContent).toMatch(/^\/auth/));
});
