import { expect, test, vi } from 'vitest';
import { logger } from '@beltway/kit/logger';
import { eventContacts } from './contacts.ts';

const log = logger('test', 'silent');

test('the email address for replies is requested once a minute, and a changed one is used after that minute', async () => {
  let time = 0;
  const get = vi.fn(async (): Promise<unknown> => ({ email: 'old@example.test' }));
  const contacts = eventContacts({ get }, log, () => time);
  const asked = [await contacts.forReplies(42), await contacts.forReplies(42)];
  expect(asked).toEqual(['old@example.test', 'old@example.test']);
  expect(get.mock.calls).toEqual([['/internal/events/42/contact']]);
  get.mockImplementation(async () => ({ email: 'new@example.test' }));
  time = 60_001;
  expect(await contacts.forReplies(42)).toBe('new@example.test');
});

test('a mail does not wait for catalog, but a message to the organizer does; without catalog no event has an email address', async () => {
  const get = async (): Promise<unknown> => {
    throw new Error('fetch failed');
  };
  const contacts = eventContacts({ get }, log);
  expect(await contacts.forReplies(42)).toBeNull();
  await expect(contacts.of(42)).rejects.toThrow('fetch failed');
  const none = eventContacts(null, log);
  expect([await none.of(42), await none.forReplies(42)]).toEqual([null, null]);
});
