import { Router } from 'express';
import { sameOriginOnly, thisMachineOnly } from '../http/callers/this-machine.ts';
import { notFound } from '../http/problems.ts';
import { type Markup, markup } from '../html.ts';
import { asStored, storedMail, storedMails, type StoredMail } from './mailer.ts';
import { MAIL_SERVICES, sampleIds, sampleOf, type MailSamples, type MailService } from './samples.ts';

const STYLE = `:root{color-scheme:light dark;--g:light-dark(#f5f1ea,#12152b);--p:light-dark(#fff,#1c2040);--t:light-dark(#12152b,#f1eee8);--m:light-dark(#5b6078,#a9aec8);--a:light-dark(#b3124f,#ff8fb8)}
body{margin:0;background:var(--g);color:var(--t);font:16px/1.5 system-ui,sans-serif}main{max-width:760px;margin:0 auto;padding:24px 16px}a{color:var(--a)}
ul{list-style:none;padding:0}li{background:var(--p);border-radius:14px;margin:10px 0}li a{display:block;padding:14px 16px;color:inherit;text-decoration:none}li a:focus-visible{outline:3px solid var(--a)}
small{color:var(--m)}iframe{width:100%;height:75vh;border:0;border-radius:14px;background:#fff}`;

const page = (title: string, body: Markup) =>
  markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="stylesheet" href="/dev/mail/style.css"></head><body><main>${body}</main></body></html>`
    .html;

const listItem = (url: string, title: string, more: string) =>
  markup`<li><a href="${url}"><b>${title}</b><br><small>${more}</small></a></li>`;

/** Inlines a mail's attached images into its HTML. */
const withPictures = ({ html, attachments }: StoredMail) =>
  attachments.reduce(
    (text, { cid, contentType, content }) =>
      cid ? text.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`) : text,
    html,
  );

function mailPage(base: string, id: string, { subject, from, to, at, attachments }: StoredMail): string {
  const url = `${base}/${encodeURIComponent(id)}`;
  const files = attachments.map(
    ({ filename, cid }, index) => !cid && markup` · <a href="${url}/attachments/${index}" download>${filename}</a>`,
  );
  return page(
    subject,
    markup`<p><a href="${base}">← Back</a></p><h1>${subject}</h1><p><small>from ${from} to ${to} · ${at}</small></p>
<p><a href="${url}/text">Plain text</a>${files}</p><iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${url}/html"></iframe>`,
  );
}

/** Routes for a mail's HTML, plain text and files at `<base>/<id>`. Only in embedded mode and on this machine. */
function mailRoutes(base: string, open: (id: string) => Promise<StoredMail | undefined>): Router {
  const router = Router();
  router.use(base, thisMachineOnly, sameOriginOnly);
  const opened = async (id: string) => {
    const mail = await open(id);
    if (!mail) throw notFound('mail');
    return mail;
  };
  router.get(`${base}/:id`, async ({ params: { id } }, res) => {
    res.type('html').send(mailPage(base, id, await opened(id)));
  });
  router.get(`${base}/:id/html`, async (req, res) => {
    const html = withPictures(await opened(req.params.id)).replaceAll('<a ', '<a target="_blank" ');
    res
      .type('html')
      .set(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox",
      )
      .send(html);
  });
  router.get(`${base}/:id/text`, async (req, res) => {
    res.type('text').send((await opened(req.params.id)).text);
  });
  router.get(`${base}/:id/attachments/:index`, async (req, res) => {
    const file = (await opened(req.params.id)).attachments[Number(req.params.index)];
    if (!file) throw notFound('attachment');
    res
      .set('content-disposition', `attachment; filename="${file.filename}"`)
      .type(file.contentType)
      .send(Buffer.from(file.content, 'base64'));
  });
  return router;
}

/** Pages with the mails of the folder, which were not sent, at `/dev/mail`; as JSON at `/dev/mail/messages`. */
export function mailboxRoutes(folder: string): Router {
  const router = Router();
  router.use('/dev/mail', thisMachineOnly, sameOriginOnly);
  router.get('/dev/mail/style.css', (_req, res) => void res.type('css').send(STYLE));
  router.get('/dev/mail', async (_req, res) => {
    const mails = await storedMails(folder);
    const list = mails.map(({ id, to, subject, at }) =>
      listItem(`/dev/mail/${encodeURIComponent(id)}`, subject, `to ${to} · ${at}`),
    );
    const kinds = MAIL_SERVICES.map((service, index) => [
      index > 0 && ' · ',
      markup`<a href="/dev/mail/kinds/${service}">${service}</a>`,
    ]);
    res
      .type('html')
      .send(
        page(
          'Mailbox',
          markup`<h1>Mailbox</h1><p>Beltway runs without a mail server here: what it would send is kept on this page.</p><p>Every kind of mail, with sample data: ${kinds}</p>${list.length > 0 ? markup`<ul>${list}</ul>` : markup`<p>No mail yet. Buy a ticket.</p>`}`,
        ),
      );
  });
  router.get('/dev/mail/messages', async (_req, res) => {
    const mails = await storedMails(folder);
    res.json(
      mails.map(({ attachments, ...mail }) => ({
        ...mail,
        attachments: attachments.map(({ content, ...rest }) => ({
          ...rest,
          bytes: Buffer.from(content, 'base64').length,
        })),
      })),
    );
  });
  router.use(mailRoutes('/dev/mail', (id) => storedMail(folder, id)));
  return router;
}

/**
 * Pages with every kind of mail of a service, with sample data, in each language. The samples are loaded on the first
 * request.
 */
export function sampleRoutes(service: MailService, load: () => Promise<MailSamples>): Router {
  const base = `/dev/mail/kinds/${service}`;
  const router = Router();
  router.use(base, thisMachineOnly, sameOriginOnly);
  router.get(base, async (_req, res) => {
    const samples = await load();
    const list = await Promise.all(
      sampleIds(samples).map(async (id) => listItem(`${base}/${id}`, id, (await sampleOf(samples, id))!.subject)),
    );
    res
      .type('html')
      .send(
        page(
          'Kinds of mail',
          markup`<p><a href="/dev/mail">← Mailbox</a></p><h1>Mails of ${service}</h1><ul>${list}</ul>`,
        ),
      );
  });
  router.use(
    mailRoutes(base, async (id) => {
      const mail = await sampleOf(await load(), id);
      return mail && asStored('Beltway', mail);
    }),
  );
  return router;
}
