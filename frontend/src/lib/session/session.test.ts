import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { sessionFixture } from '../../testing/fixtures.ts';
import { returnPath, signInPath } from '../navigation/return-path.ts';
import { expireSession, sessionStore, TOKEN_KEY, USER_KEY } from '../storage/session-store.ts';
import { logout, useSession } from './session.ts';
import { login } from './sign-in.ts';

test('signing in stores token and user under two keys', async () => {
  fakeApi({ 'POST /api/auth/login': sessionFixture() });
  const { result } = renderHook(useSession);
  expect(result.current.user).toBeNull();
  await act(() => login({ email: 'ann@example.com', password: 'secret1' }));
  expect(result.current.user?.name).toBe('Ann');
  expect(localStorage.getItem(TOKEN_KEY)).toBe('token-1');
  expect(JSON.parse(localStorage.getItem(USER_KEY) ?? '')).toMatchObject({ email: 'ann@example.com' });
});

test('signing out clears both, also when the server is unreachable', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ 'POST /api/auth/logout': () => problem(503, 'unavailable') });
  await logout();
  expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  expect(localStorage.getItem(USER_KEY)).toBeNull();
});

test('a sign-in waits for a sign-out under way, whose response would delete the new session’s cookie', async () => {
  sessionStore.set(sessionFixture());
  const slow = Promise.withResolvers<void>();
  const calls = fakeApi({
    'POST /api/auth/logout': () => slow.promise.then(() => ''),
    'POST /api/auth/login': sessionFixture(),
  });
  const signedOut = logout();
  const signedIn = login({ email: 'ann@example.com', password: 'secret1' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(calls.map(({ path }) => path)).toEqual(['/api/auth/logout']);
  slow.resolve();
  await Promise.all([signedOut, signedIn]);
  expect(calls.map(({ path }) => path)).toEqual(['/api/auth/logout', '/api/auth/login']);
  expect(sessionStore.get().token).toBe('token-1');
});

test('the session follows signing in and out in another tab', () => {
  const { result } = renderHook(useSession);
  const { token, user } = sessionFixture();
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  localStorage.setItem(TOKEN_KEY, token);
  act(() => void window.dispatchEvent(Object.assign(new Event('storage'), { key: TOKEN_KEY })));
  expect(result.current.token).toBe('token-1');
});

test('signing out is not an expiry, even if a session expired before another tab signed in', async () => {
  sessionStore.set(sessionFixture());
  expireSession();
  expect(sessionStore.hasExpired()).toBe(true);
  const { token, user } = sessionFixture();
  localStorage.removeItem('beltway.expired');
  localStorage.setItem(USER_KEY, JSON.stringify(user));
  localStorage.setItem(TOKEN_KEY, token);
  window.dispatchEvent(Object.assign(new Event('storage'), { key: TOKEN_KEY, newValue: token }));
  fakeApi({ 'POST /api/auth/logout': {} });
  await logout();
  expect(sessionStore.get()).toEqual({ token: null, user: null });
  expect(sessionStore.hasExpired()).toBe(false);
});

test('an unreadable stored user counts as signed out', () => {
  localStorage.setItem(USER_KEY, '{"id":"?"}');
  localStorage.setItem(TOKEN_KEY, 'token-1');
  window.dispatchEvent(Object.assign(new Event('storage'), { key: null }));
  expect(sessionStore.get()).toEqual({ token: null, user: null });
});

test('the return path after signing in never leaves this site', () => {
  const back = (next: string) => returnPath(new URLSearchParams({ next }));
  expect(back('/my-tickets?a=1')).toBe('/my-tickets?a=1');
  expect(back('//evil.example/x')).toBe('/');
  expect(back('https://evil.example/x')).toBe('/');
  expect(back('javascript:alert(1)')).toBe('/');
  expect(back('/auth?next=/auth')).toBe('/');
  expect(returnPath(new URLSearchParams())).toBe('/');
  expect(signInPath('/event/7?x=1')).toBe('/auth?next=%2Fevent%2F7%3Fx%3D1');
});
