import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, fakeApi, problem, type FakeCall } from '../../../testing/fake-api.ts';
import { fakeCamera, FakeConnection } from '../../../testing/fake-camera.ts';
import { sessionFixture } from '../../../testing/fixtures.ts';

vi.resetModules();
const { sessionStore } = await import('../../../lib/storage/session-store.ts');
const { browserCamera } = await import('./camera.ts');
afterAll(() => void vi.resetModules());
beforeEach(() => sessionStore.set(sessionFixture()));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const WHIP = '/api/broadcasts/7/whip';
const taken = () => answer(201, 'v=0 answer', { location: `${WHIP}/camera-1` });
const lines = (calls: FakeCall[]) => calls.map(({ method, path }) => `${method} ${path}`);
const fault = async (refusals: string[]) => {
  fakeCamera({ refusals });
  const camera = browserCamera();
  await camera.turnOn();
  return camera.get();
};

test('a camera that cannot be opened shows the reason in a sentence', async () => {
  expect(await fault(['NotAllowedError'])).toMatchObject({
    phase: 'off',
    fault: expect.stringMatching(/^Your browser is blocking the camera/),
  });
  expect((await fault(['NotFoundError', 'NotFoundError'])).fault).toBe(
    'We found no camera. Connect one and try again.',
  );
  expect((await fault(['NotReadableError'])).fault).toMatch(/^The camera won’t start\. Close other programs/);
  vi.stubGlobal('navigator', Object.create(navigator, { mediaDevices: { value: undefined } }));
  const camera = browserCamera();
  await camera.turnOn();
  expect(camera.get().fault).toMatch(/secure address/);
});

test('a camera without a microphone works', async () => {
  const { wanted } = fakeCamera({ refusals: ['NotFoundError'] });
  const camera = browserCamera();
  await camera.turnOn();
  expect(camera.get()).toMatchObject({ phase: 'ready', hasSound: false, fault: null });
  expect(wanted.map(({ audio }) => audio)).toEqual([true, undefined]);
});

test('the camera sends with the owner’s token, mutes, stops, and ends its session on the server', async () => {
  const { tracks, connections } = fakeCamera();
  const calls = fakeApi({ [`POST ${WHIP}`]: taken, [`DELETE ${WHIP}/camera-1`]: answer(204) });
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive(WHIP);
  expect(camera.get().phase).toBe('on-air');
  const [offer] = calls;
  expect(offer!.headers.get('content-type')).toBe('application/sdp');
  expect(offer!.headers.get('authorization')).toBe('Bearer token-1');
  expect(offer!.body).toMatch(/^v=0\r\n/);
  expect(connections[0]).toMatchObject({
    answer: 'v=0 answer',
    kinds: ['video sendonly', 'audio sendonly'],
    codecs: ['video/H264', 'video/VP8'],
  });
  camera.mute(true);
  expect(tracks.map(({ kind, enabled }) => `${kind} ${enabled}`)).toEqual(['video true', 'audio false']);
  camera.stop();
  expect(camera.get()).toMatchObject({ phase: 'ready', fault: null });
  expect(connections[0]!.isClosed).toBe(true);
  expect(lines(calls)).toEqual([`POST ${WHIP}`, `DELETE ${WHIP}/camera-1`]);
  expect(tracks.some(({ isStopped }) => isStopped)).toBe(false);
  camera.turnOff();
  expect(tracks.every(({ isStopped }) => isStopped)).toBe(true);
});

test('leaving while the camera connects ends its session on the server', async () => {
  const { tracks, connections } = fakeCamera();
  let answerOffer: (response: Response) => void = () => undefined;
  const calls = fakeApi({
    [`POST ${WHIP}`]: () => new Promise<Response>((resolve) => (answerOffer = resolve)),
    [`DELETE ${WHIP}/camera-1`]: answer(204),
  });
  const camera = browserCamera();
  await camera.turnOn();
  const going = camera.goLive(WHIP);
  await expect.poll(() => calls).toHaveLength(1);
  camera.turnOff();
  answerOffer(taken());
  await going;
  expect(lines(calls)).toEqual([`POST ${WHIP}`, `DELETE ${WHIP}/camera-1`]);
  expect(connections).toMatchObject([{ isClosed: true, answer: null }]);
  expect(tracks.every(({ isStopped }) => isStopped)).toBe(true);
  expect(camera.get()).toMatchObject({ phase: 'off', stream: null });
});

test('leaving while the browser asks for permission turns the camera off', async () => {
  const { tracks } = fakeCamera();
  const camera = browserCamera();
  const asking = camera.turnOn();
  camera.turnOff();
  await asking;
  expect(tracks.every(({ isStopped }) => isStopped)).toBe(true);
  expect(camera.get().phase).toBe('off');
});

test.each([
  ['two cameras already', problem(503, 'unavailable', { detail: 'Too many cameras are on air.' }), /^Too many cameras/],
  ['it is too early', problem(409, 'not-yet', { detail: 'It’s too early.' }), /^It’s too early/],
  ['the server is away', new TypeError('fetch failed'), /^We can’t reach Beltway/],
  ['the server breaks', answer(500, 'oops'), /^Something went wrong on our end/],
])('%s: reported once, and no connection stays open', async (_name, response, words) => {
  const { connections } = fakeCamera();
  const calls = fakeApi({
    [`POST ${WHIP}`]: () => {
      if (response instanceof Error) throw response;
      return response;
    },
  });
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive(WHIP);
  expect(camera.get()).toMatchObject({ phase: 'ready', fault: expect.stringMatching(words) });
  expect(calls).toHaveLength(1);
  expect(connections.every(({ isClosed }) => isClosed)).toBe(true);
});

test('an expired token is renewed', async () => {
  fakeCamera();
  const calls = fakeApi({
    [`POST ${WHIP}`]: ({ headers }: FakeCall) =>
      headers.get('authorization') === 'Bearer token-2' ? taken() : problem(401, 'expired'),
    'POST /api/auth/refresh': { ...sessionFixture(), token: 'token-2' },
  });
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive(WHIP);
  expect(camera.get().phase).toBe('on-air');
  expect(lines(calls)).toEqual([`POST ${WHIP}`, 'POST /api/auth/refresh', `POST ${WHIP}`]);
  camera.turnOff();
});

test('a token is never sent to another site, whatever URL the server returns', async () => {
  fakeCamera();
  const calls = fakeApi({ [`POST ${WHIP}`]: () => answer(201, 'v=0', { location: 'https://evil.test/whip/1' }) });
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive('https://evil.test/whip');
  expect(camera.get()).toMatchObject({ phase: 'ready', fault: 'The address for the camera is none of this site.' });
  expect(calls).toEqual([]);
  await camera.goLive(WHIP);
  expect(camera.get().phase).toBe('on-air');
  camera.turnOff();
  expect(lines(calls)).toEqual([`POST ${WHIP}`]);
});

test('a browser without H.264 and VP8 gets an error before anything is sent', async () => {
  fakeCamera({ codecs: [{ mimeType: 'video/AV1' }] });
  const calls = fakeApi({});
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive(WHIP);
  expect(camera.get()).toMatchObject({ phase: 'ready', fault: expect.stringMatching(/can’t broadcast H\.264 or VP8/) });
  expect(calls).toEqual([]);
});

test('a connection without packets suggests a firewall', async () => {
  fakeCamera();
  FakeConnection.outcome = 'failed';
  const calls = fakeApi({ [`POST ${WHIP}`]: taken, [`DELETE ${WHIP}/camera-1`]: answer(204) });
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive(WHIP);
  expect(camera.get()).toMatchObject({ phase: 'ready', fault: expect.stringMatching(/A firewall may be blocking it/) });
  expect(lines(calls)).toEqual([`POST ${WHIP}`, `DELETE ${WHIP}/camera-1`]);
});

test('a lost connection is retried until the server refuses', async () => {
  vi.useFakeTimers();
  const { connections } = fakeCamera();
  const answers = [
    taken,
    () => problem(503, 'unavailable'),
    taken,
    () => problem(409, 'stopped', { detail: 'It was ended.' }),
  ];
  const calls = fakeApi({ [`POST ${WHIP}`]: () => answers.shift()!(), [`DELETE ${WHIP}/camera-1`]: answer(204) });
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive(WHIP);
  connections[0]!.become('disconnected');
  await vi.advanceTimersByTimeAsync(1_000);
  connections[0]!.become('connected');
  await vi.advanceTimersByTimeAsync(10_000);
  // A short interruption does not count as a lost connection.
  expect([camera.get().phase, connections.length]).toEqual(['on-air', 1]);

  connections[0]!.become('failed');
  expect(camera.get().phase).toBe('reconnecting');
  await vi.advanceTimersByTimeAsync(10_000);
  expect([camera.get().phase, connections.length]).toEqual(['on-air', 3]);
  expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, true, false]);

  connections[2]!.become('disconnected');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(camera.get()).toMatchObject({ phase: 'ready', fault: 'It was ended.' });
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(4);
  expect(connections.every(({ isClosed }) => isClosed)).toBe(true);
});

test('a camera that is unplugged turns off with a message', async () => {
  const { tracks } = fakeCamera();
  const calls = fakeApi({ [`POST ${WHIP}`]: taken, [`DELETE ${WHIP}/camera-1`]: answer(204) });
  const camera = browserCamera();
  await camera.turnOn();
  await camera.goLive(WHIP);
  tracks[0]!.dispatchEvent(new Event('ended'));
  expect(camera.get()).toMatchObject({
    phase: 'off',
    stream: null,
    fault: expect.stringMatching(/^The camera was disconnected/),
  });
  expect(lines(calls).at(-1)).toBe(`DELETE ${WHIP}/camera-1`);
});
