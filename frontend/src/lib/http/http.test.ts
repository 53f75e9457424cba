import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { answer, fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { explain, get, HttpError, post, upload } from './http.ts';
import { onSessionExpired, sessionStore, TOKEN_KEY, USER_KEY } from '../storage/session-store.ts';

const failure = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call succeeded');
};

describe('a request', () => {
  test('has no authorization without a token, and no content type without a body', async () => {
    const calls = fakeApi({ 'GET /api/events': [] });
    await get('/api/events');
    expect(calls[0]?.headers.has('authorization')).toBe(false);
    expect(calls[0]?.headers.has('content-type')).toBe(false);
  });
  test('has the token and a JSON body', async () => {
    sessionStore.set(sessionFixture());
    const calls = fakeApi({ 'POST /api/events': {} });
    await post('/api/events', { title: 'Jazz' });
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-1');
    expect(calls[0]?.headers.get('content-type')).toBe('application/json');
    expect(calls[0]?.body).toEqual({ title: 'Jazz' });
  });
  test('always includes credentials', async () => {
    const fetched = vi.fn(async (_path: string, _init: RequestInit) => new Response('[]'));
    vi.stubGlobal('fetch', fetched);
    await get('/api/events');
    expect(fetched.mock.calls[0]?.[1].credentials).toBe('include');
  });
  test('with form data keeps its own content type', async () => {
    const calls = fakeApi({ 'POST /api/images': {} });
    await upload('/api/images', new FormData());
    expect(calls[0]?.headers.has('content-type')).toBe(false);
    expect(calls[0]?.body).toBeInstanceOf(FormData);
  });
});

describe('an answer', () => {
  test('is parsed with its contract', async () => {
    fakeApi({ 'GET /a': { n: 1 }, 'GET /b': { n: 'one' } });
    expect(await get('/a', z.object({ n: z.int() }))).toEqual({ n: 1 });
    await expect(get('/b', z.object({ n: z.int() }))).rejects.toThrow();
  });
  test('may be empty', async () => {
    fakeApi({ 'POST /api/auth/logout': () => new Response(null, { status: 204 }) });
    expect(await post('/api/auth/logout')).toBeUndefined();
  });
  test('with an error throws "status: body text" and the problem', async () => {
    fakeApi({ 'GET /api/events/9': () => problem(409, 'sold-out', { detail: 'No tickets left.' }) });
    const error = await failure(get('/api/events/9'));
    expect(error).toBeInstanceOf(HttpError);
    expect((error as HttpError).message).toMatch(/^409: \{.*"code":"sold-out"/);
    expect((error as HttpError).problem?.code).toBe('sold-out');
    expect(explain(error)).toBe('No tickets left.');
  });
  test('with an error and no body throws the status text', async () => {
    fakeApi({ 'GET /x': () => new Response('', { status: 502, statusText: 'Bad Gateway' }) });
    expect(await failure(get('/x'))).toMatchObject({ message: '502: Bad Gateway', problem: null });
  });
  test('with status 429 shows when to try again', async () => {
    fakeApi({ 'GET /x': () => problem(429, 'too-many', {}, { 'retry-after': '90' }) });
    expect(explain(await failure(get('/x')))).toBe('Too many attempts. Try again in 2 minutes.');
  });
  test('with status 429 shows the server’s reason, except for rate limits', async () => {
    const detail = 'Enough pictures were stored for now. Please try again in 3 hours.';
    const said = async (code: string) => {
      fakeApi({ 'GET /x': () => problem(429, code, { detail }, { 'retry-after': '9000' }) });
      return explain(await failure(get('/x')));
    };
    expect(await said('too-many-pictures')).toBe(detail);
    for (const code of ['too-many-requests', 'too-many-at-once', 'too-many-attempts', 'busy'])
      expect(await said(code)).toBe('Too many attempts. Try again in 150 minutes.');
  });
});

describe('401', () => {
  const renewed = { ...sessionFixture(), token: 'token-2' };
  const guarded = ({ headers }: { headers: Headers }) =>
    headers.get('authorization') === 'Bearer token-2' ? ['mine'] : problem(401, 'unauthenticated');
  beforeEach(() => sessionStore.set(sessionFixture()));

  test('starts one silent refresh for all calls that failed', async () => {
    const calls = fakeApi({ 'GET /a': guarded, 'GET /b': guarded, 'POST /api/auth/refresh': renewed });
    expect(await Promise.all([get('/a'), get('/b'), get('/a')])).toEqual([['mine'], ['mine'], ['mine']]);
    expect(calls.filter(({ path }) => path === '/api/auth/refresh')).toHaveLength(1);
    expect(localStorage.getItem(TOKEN_KEY)).toBe('token-2');
    // Without this header, identity rejects a call that has neither a token nor JSON.
    const refresh = calls.find(({ path }) => path === '/api/auth/refresh');
    expect(refresh?.headers.get('x-requested-with')).toBe('beltway');
  });
  test('uses a token that another tab has received in the meantime', async () => {
    const calls = fakeApi({ 'GET /a': guarded });
    localStorage.setItem(TOKEN_KEY, 'token-2');
    expect(await get('/a')).toEqual(['mine']);
    expect(calls.some(({ path }) => path === '/api/auth/refresh')).toBe(false);
  });
  const refused = { 'POST /api/auth/refresh': () => problem(401, 'unauthenticated') };
  const toPublic = ({ headers }: { headers: Headers }) =>
    headers.has('authorization') ? problem(401, 'unauthenticated') : ['for all'];
  /** Counts how often a call leads to /auth. */
  const redirects = async (call: () => Promise<unknown>) => {
    const expired = vi.fn();
    const stop = onSessionExpired(expired);
    await call();
    stop();
    return expired.mock.calls.length;
  };
  test('signs out if the refresh is refused, and then an action leads to /auth', async () => {
    fakeApi({ 'POST /a': guarded, ...refused });
    expect(await redirects(() => expect(post('/a')).rejects.toThrow('Authentication required'))).toBe(1);
    expect(sessionStore.get()).toEqual({ token: null, user: null });
    expect(sessionStore.hasExpired()).toBe(true);
    expect(localStorage.getItem(USER_KEY)).toBeNull();
  });
  test('for a read that is part of an action leads to /auth', async () => {
    fakeApi({ 'GET /a': guarded, ...refused });
    expect(await redirects(() => expect(get('/a', undefined, { action: true })).rejects.toThrow())).toBe(1);
  });
  test('for a page’s reads does not navigate: public content is read as a visitor, the rest fails', async () => {
    fakeApi({ 'GET /public': toPublic, 'GET /mine': guarded, ...refused });
    const read = async () => {
      const mine = expect(get('/mine')).rejects.toThrow('Authentication required');
      expect(await Promise.all([get('/public'), get('/public')])).toEqual([['for all'], ['for all']]);
      await mine;
    };
    expect(await redirects(read)).toBe(0);
    expect(sessionStore.get()).toEqual({ token: null, user: null });
  });
  test('is avoided for an expired token, which is renewed before the request', async () => {
    sessionStore.set({ ...sessionFixture(), token: `head.${btoa('{"sub":"1","exp":1}')}.signature` });
    const calls = fakeApi({ 'GET /a': guarded, 'POST /api/auth/refresh': renewed });
    expect(await get('/a')).toEqual(['mine']);
    expect(calls.map(({ path }) => path)).toEqual(['/api/auth/refresh', '/a']);
  });
  test('is avoided on public pages after the session has ended: they are read without a token', async () => {
    sessionStore.set({ ...sessionFixture(), token: `head.${btoa('{"sub":"1","exp":1}')}.signature` });
    const calls = fakeApi({ 'GET /public': toPublic, ...refused });
    expect(await redirects(() => get('/public'))).toBe(0);
    expect(calls.map(({ path }) => path)).toEqual(['/api/auth/refresh', '/public']);
    expect(sessionStore.get().token).toBeNull();
  });
  test('ends no session and starts none if the user signed out before the refresh was answered', async () => {
    const signOut = () => {
      sessionStore.clear();
      return renewed;
    };
    fakeApi({ 'GET /public': toPublic, 'POST /api/auth/refresh': signOut });
    expect(await redirects(async () => expect(await get('/public')).toEqual(['for all']))).toBe(0);
    expect(sessionStore.get()).toEqual({ token: null, user: null });
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
    expect(sessionStore.hasExpired()).toBe(false);
  });
  test('keeps the session of another account that signed in before the refresh was answered', async () => {
    const signInAsAnother = () => {
      sessionStore.set({ ...sessionFixture({ id: 4 }), token: 'token-3' });
      return renewed;
    };
    const forAnother = ({ headers }: { headers: Headers }) =>
      headers.get('authorization') === 'Bearer token-1' ? problem(401, 'unauthenticated') : ['for all'];
    fakeApi({ 'GET /public': forAnother, 'POST /api/auth/refresh': signInAsAnother });
    await get('/public');
    expect(sessionStore.get()).toMatchObject({ token: 'token-3', user: { id: 4 } });
    expect(localStorage.getItem(TOKEN_KEY)).toBe('token-3');
  });
  test('signs out without another refresh if the new token is refused as well', async () => {
    const calls = fakeApi({ 'GET /a': () => answer(401), 'POST /api/auth/refresh': renewed });
    await expect(get('/a')).rejects.toThrow('Authentication required');
    expect(calls.map(({ path }) => path)).toEqual(['/a', '/api/auth/refresh', '/a']);
  });
  test('keeps the session when the server is only overloaded', async () => {
    fakeApi({ 'GET /a': guarded, 'POST /api/auth/refresh': () => problem(503, 'unavailable') });
    await expect(get('/a')).rejects.toMatchObject({ status: 503 });
    expect(sessionStore.get().token).toBe('token-1');
  });
  test('without a token does not request a refresh', async () => {
    sessionStore.clear();
    const calls = fakeApi({ 'GET /a': guarded });
    await expect(get('/a')).rejects.toThrow('Authentication required');
    expect(calls).toHaveLength(1);
  });
  test('for a sign-in does not end the session', async () => {
    fakeApi({ 'POST /api/auth/login': () => problem(401, 'invalid-credentials') });
    await expect(post('/api/auth/login', {}, undefined, { session: false })).rejects.toMatchObject({ status: 401 });
    expect(sessionStore.get().token).toBe('token-1');
  });
});
