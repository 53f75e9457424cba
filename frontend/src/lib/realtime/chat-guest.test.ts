import { afterEach, expect, test, vi } from 'vitest';
import { chatGuestKey } from './chat-guest.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('the key is stored on the device', () => {
  expect(chatGuestKey.get()).toEqual({});
  chatGuestKey.set('a-key');
  expect(localStorage.getItem('beltway.chat-guest-key')).toBe('a-key');
  expect(chatGuestKey.header()).toEqual({ 'x-guest-key': 'a-key' });
});

test('if storage is refused or full, the key lasts while the page is open', () => {
  const refuse = () => {
    throw new DOMException('No room', 'QuotaExceededError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, clear: () => undefined });
  expect(chatGuestKey.get()).toEqual({});
  chatGuestKey.set('a-key');
  expect(chatGuestKey.get()).toEqual({ guestKey: 'a-key' });
});
