import { mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GiveUp } from '../jobs/queue.ts';
import { AddressRefused, openMailer, storedMails } from './mailer.ts';
import type { RefusedAddresses } from './refused.ts';
import { smtpServer } from '../testing/smtp.ts';

const letter = { id: 'mail-1', to: 'b@example.test', subject: 's', text: 't', html: 'h', attachments: [] };

test('a mail is sent to the server under its id', async () => {
  const server = await smtpServer((answer, socket) => void socket.write(`${answer}\r\n`));
  await openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test' }).send(letter);
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toContain('Message-ID: <mail-1@beltway>');
  server.close();
});

test('a server that never finishes its answer is disconnected and accepts no mail afterwards', async () => {
  const timers: NodeJS.Timeout[] = [];
  const server = await smtpServer((answer, socket) => {
    if (!answer.startsWith('354')) return void socket.write(`${answer}\r\n`);
    // The server keeps sending but never finishes.
    timers.push(setInterval(() => socket.write('354-a moment\r\n'), 50));
  });
  const mailer = openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test', exchangeMs: 500 });
  await expect(mailer.send(letter)).rejects.toThrow();
  await expect.poll(() => server.sockets.size).toBe(0);
  expect(server.mails).toEqual([]);
  timers.forEach(clearInterval);
  server.close();
});

test('the error of a refused email address does not contain the email address', async () => {
  let lines = 0;
  const server = await smtpServer((answer, socket) => {
    // The first three lines answer the connection, EHLO and MAIL FROM; the fourth answers the recipient.
    const isRecipient = ++lines === 4;
    socket.write(`${isRecipient ? `550 5.1.1 <${letter.to}>: Recipient ${letter.to} rejected` : answer}\r\n`);
  });
  const sent = openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test' }).send(letter);
  const error = (await sent.catch((reason: unknown) => reason)) as Error;
  expect(error).toMatchObject({ message: expect.stringContaining('550 5.1.1 <…@…>'), responseCode: 550 });
  expect(`${error.stack} ${JSON.stringify(error, Object.getOwnPropertyNames(error))}`).not.toContain(letter.to);
  expect(error.cause).toBeUndefined();
  server.close();
});

test('a mail with one-click unsubscribe has the headers of RFC 8058, other mails do not', async () => {
  const server = await smtpServer((answer, socket) => void socket.write(`${answer}\r\n`));
  const mailer = openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test' });
  await mailer.send({ ...letter, unsubscribeUrl: 'https://beltway.test/end?token=1' });
  await mailer.send(letter);
  expect(server.mails[0]).toContain('List-Unsubscribe: <https://beltway.test/end?token=1>');
  expect(server.mails[0]).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(server.mails[1]).not.toContain('List-Unsubscribe');
  server.close();
});

test('a line break in a subject or a link cannot add a header', async () => {
  const server = await smtpServer((answer, socket) => void socket.write(`${answer}\r\n`));
  const mailer = openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test' });
  const more = '\r\nBcc: evil@example.test\r\n\r\nBody';
  await mailer.send({ ...letter, subject: `Hello${more}`, unsubscribeUrl: `https://beltway.test/${more}` });
  expect(server.mails[0]).not.toMatch(/^(Bcc|Body)/m);
  server.close();
});

/** A mailer whose server gives this answer to RCPT TO. */
async function refusing(answer: string, refused = memory()) {
  let lines = 0;
  const server = await smtpServer((usual, socket) => void socket.write(`${++lines === 4 ? answer : usual}\r\n`));
  onTestFinished(() => void server.close());
  return openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test', refused });
}
const memory = (known = new Set<string>()): RefusedAddresses => ({
  has: async (address) => known.has(address),
  add: async (address) => void known.add(address),
  remove: async (address) => void known.delete(address),
});

test.each([
  ['550 5.1.1 No such user', true],
  ['550-5.1.1 The account\r\n550 5.1.1 does not exist', true],
  ['550 5.2.1 Mailbox disabled', true],
  ['553 sorry, no mailbox here by that name', true],
  ['554 5.7.1 Relay access denied', false],
  ['550 5.7.1 Your address is on a blocklist', false],
  ['552 5.2.2 Mailbox full', false],
  ['450 4.2.1 Try again later', false],
])('%s refuses the email address permanently: %s', async (answer, isPermanent) => {
  const known = new Set<string>();
  const mailer = await refusing(answer, memory(known));
  const error: unknown = await mailer.send(letter).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof AddressRefused).toBe(isPermanent);
  // The queue makes no further attempt after GiveUp.
  expect(error instanceof GiveUp).toBe(isPermanent);
  expect([...known]).toEqual(isPermanent ? [letter.to] : []);
});

test('a refused email address gets no bulk mail until another mail to it is accepted', async () => {
  const server = await smtpServer((answer, socket) => void socket.write(`${answer}\r\n`));
  const known = new Set([letter.to]);
  const mailer = openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test', refused: memory(known) });
  const bulk = { ...letter, unsubscribeUrl: 'https://beltway.test/end?token=1' };
  await mailer.send(bulk);
  expect(server.mails).toEqual([]);
  await mailer.send(letter);
  expect([...known]).toEqual([]);
  await mailer.send(bulk);
  expect(server.mails).toHaveLength(2);
  server.close();
});

test('an error names a mail server that is down', async () => {
  const mailer = openMailer({ smtpUrl: 'smtp://127.0.0.1:1', folder: '', from: 'a@example.test' });
  await expect(mailer.send(letter)).rejects.toThrow('ECONNREFUSED');
});

test('of many mails in the folder, only the newest are read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'beltway-mail-'));
  try {
    const mailer = openMailer({ folder, from: 'a@example.test' });
    const to = 'b@example.test';
    for (let n = 1; n <= 12; n++) {
      await mailer.send({ id: `mail-${n}`, to, subject: 's', text: 't', html: 'h', attachments: [] });
      await utimes(join(folder, `mail-${n}.json`), n, n);
    }
    const mails = await storedMails(folder, 3);
    expect(mails.map(({ id }) => id)).toEqual(['mail-12', 'mail-11', 'mail-10']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a mail on disk is readable by its owner only, because its links set passwords', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'mails-'));
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const folder = join(parent, 'mail');
  await openMailer({ smtpUrl: undefined, folder, from: 'a@example.test' }).send(letter);
  const modes = await Promise.all([folder, join(folder, 'mail-1.json')].map(async (path) => (await stat(path)).mode));
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
});
