import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMailer, storedMails } from './mail.ts';

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
