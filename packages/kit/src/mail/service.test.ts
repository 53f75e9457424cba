import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import type { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../testing/testing.ts';
import { composeMail } from './layout.ts';
import type { MailSamples } from './samples.ts';
import { serviceMail } from './service.ts';

const GREETINGS = { en: 'Hello', es: 'Hola' };
const samples: MailSamples = {
  welcome: (language) =>
    composeMail(
      { id: 'welcome', to: 'maya@beltway.test' },
      {
        language,
        title: `${GREETINGS[language]}, <b>Maya</b>`,
        action: { text: 'Open', url: 'https://beltway.test/' },
      },
      { files: [{ filename: 'tickets.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-') }] },
    ),
};

/** A service with one kind of mail. */
async function service(mode: 'embedded' | 'engines', smtpUrl?: string) {
  const app = express();
  const folder = await mkdtemp(join(tmpdir(), 'beltway-mail-'));
  const config = { BELTWAY_MODE: mode, DATA_DIR: folder, SMTP_URL: smtpUrl, MAIL_FROM: 'a@example.test' };
  const { mailer, mount } = serviceMail({
    ...{ service: 'identity', config, pool: {} as Pool, samples: () => Promise.resolve(samples), hasMailbox: true },
  });
  mount(app);
  const server = createServer(app);
  const url = await listen(server);
  onTestFinished(() => void server.close());
  const get = async (path: string) => {
    const answer = await fetch(url + path);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  return { mailer, get };
}

const KINDS = '/dev/mail/kinds/identity';

test('the preview lists each kind in both languages, with HTML, plain text and files', async () => {
  const { get } = await service('embedded');
  const list = await get(KINDS);
  expect(list.text).toContain(`<a href="${KINDS}/welcome.en"><b>welcome.en</b><br><small>Hello, &#60;b&#62;Maya`);
  expect(list.text).toContain(`<a href="${KINDS}/welcome.es"><b>welcome.es</b><br><small>Hola, &#60;b&#62;Maya`);

  const page = await get(`${KINDS}/welcome.es`);
  for (const link of ['html', 'text', 'attachments/1']) expect(page.text).toContain(`"${KINDS}/welcome.es/${link}"`);
  const html = await get(`${KINDS}/welcome.es/html`);
  expect(html).toMatchObject({ status: 200, type: expect.stringContaining('text/html') });
  expect(html.text).toContain('<html lang="es">');
  expect(html.text).not.toContain('cid:');
  const text = await get(`${KINDS}/welcome.es/text`);
  expect(text).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
  expect(text.text).toBe('BELTWAY\nHola, <b>Maya</b>\n\nOpen: https://beltway.test/');
  expect(await get(`${KINDS}/welcome.es/attachments/1`)).toMatchObject({ type: 'application/pdf', text: '%PDF-' });
  for (const none of ['welcome.fr', 'goodbye.en', 'toString.en', 'welcome.en/attachments/9'])
    expect((await get(`${KINDS}/${none}`)).status).toBeGreaterThanOrEqual(400);
});

test('sent mails are on the mailbox page', async () => {
  const { mailer, get } = await service('embedded');
  expect((await get('/dev/mail')).text).toContain(`<a href="${KINDS}">identity</a>`);
  await mailer.send(await samples['welcome']!('en'));
  expect((await get('/dev/mail')).text).toContain('<a href="/dev/mail/welcome"><b>Hello, &#60;b&#62;Maya');
  expect((await get('/dev/mail/welcome/text')).text).toContain('Hello, <b>Maya</b>');
});

test.each([
  ['with real engines', 'engines', undefined],
  ['with a mail server', 'embedded', 'smtp://127.0.0.1:1'],
] as const)('%s there is no preview and no mailbox', async (_, mode, smtpUrl) => {
  const { get } = await service(mode, smtpUrl);
  for (const path of ['/dev/mail', '/dev/mail/messages', KINDS, `${KINDS}/welcome.en`, `${KINDS}/welcome.en/html`])
    expect((await get(path)).status).toBe(404);
});
