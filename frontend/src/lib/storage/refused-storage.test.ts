import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const NAMES = ['localStorage', 'sessionStorage'] as const;
const own = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(window, name)!] as const);
const refuse = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

beforeEach(() => {
  vi.resetModules();
  for (const name of NAMES) Object.defineProperty(window, name, { get: refuse, configurable: true });
});
afterEach(() => {
  for (const [name, descriptor] of own) Object.defineProperty(window, name, descriptor);
});

test('if storage is refused, the page is signed out, and a sign-in lasts until the page is closed', async () => {
  const { sessionStore } = await import('./session-store.ts');
  expect(sessionStore.get()).toEqual({ token: null, user: null });
  const user = { id: 7, email: 'ann@example.test', name: 'Ann', role: 'user' as const };
  sessionStore.set({ token: 'a token', user } as Parameters<typeof sessionStore.set>[0]);
  expect(sessionStore.latestToken()).toBe('a token');
  sessionStore.clear();
  expect(sessionStore.latestToken()).toBeNull();
});

test('if storage is refused, tab data lasts while the page is open', async () => {
  await import('./session-store.ts');
  const [{ tabStorage }, { drafts }] = await Promise.all([import('./tab-storage.ts'), import('./drafts.ts')]);
  expect(tabStorage.get('a')).toBeNull();
  tabStorage.set('a', '1');
  expect(drafts.write('launch', 7, { title: 'x' })).toBe(true);
  drafts.dropAll();
  expect(Object.keys(sessionStorage)).toEqual(['a']);
  expect([tabStorage.get('a'), sessionStorage.length, sessionStorage.key(0)]).toEqual(['1', 1, 'a']);
  tabStorage.remove('a');
  expect(tabStorage.get('a')).toBeNull();
});
