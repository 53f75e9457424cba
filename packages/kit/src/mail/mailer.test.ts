import { mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openMailer, storedMails } from './mail.ts';
import { smtpServer } from './testing/smtp.ts';

const letter = { id: 'mail-1', to: 'b@example.test', subject: 's', text: 't', html: 'h', attachments: [] };

test('a mail goes to the server under its id', async () => {
  const server = await smtpServer((answer, socket) => void socket.write(`${answer}\r\n`));
  await openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test' }).send(letter);
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toContain('Message-ID: <mail-1@beltway>');
  server.close();
});

test('a server that talks without an end is left, and takes no mail afterwards', async () => {
  const timers: NodeJS.Timeout[] = [];
  const server = await smtpServer((answer, socket) => {
    if (!answer.startsWith('354')) return void socket.write(`${answer}\r\n`);
    // Never silent, never done.
    timers.push(setInterval(() => socket.write('354-a moment\r\n'), 50));
  });
  const mailer = openMailer({ smtpUrl: server.url, folder: '', from: 'a@example.test', exchangeMs: 500 });
  await expect(mailer.send(letter)).rejects.toThrow();
  await vi.waitFor(() => expect(server.sockets.size).toBe(0));
  expect(server.mails).toEqual([]);
  timers.forEach(clearInterval);
  server.close();
});

test('what a server says of a refused address is told without the address', async () => {
  let lines = 0;
  const server = await smtpServer((answer, socket) => {
    // Greeting, EHLO and MAIL FROM; then whom it is for.
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

test('a server that is away is said to be so', async () => {
  const mailer = openMailer({ smtpUrl: 'smtp://127.0.0.1:1', folder: '', from: 'a@example.test' });
  await expect(mailer.send(letter)).rejects.toThrow('ECONNREFUSED');
});

test('of many mails in the folder the newest are read, not all', async () => {
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

test('a mail that is kept on disk is its owner’s alone: its links set passwords', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'mails-'));
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const folder = join(parent, 'mail');
  await openMailer({ smtpUrl: undefined, folder, from: 'a@example.test' }).send(letter);
  const modes = await Promise.all([folder, join(folder, 'mail-1.json')].map(async (path) => (await stat(path)).mode));
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
});
