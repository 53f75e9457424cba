import { Router } from 'express';
import { escapeHtml } from '@beltway/kit/html';
import { storedMail, storedMails, type StoredMail } from '@beltway/kit/mail';
import { notFound } from '@beltway/kit/problems';
import { sameOriginOnly, thisMachineOnly } from '@beltway/kit/this-machine';

const STYLE = `:root{color-scheme:light dark;--g:light-dark(#f5f1ea,#12152b);--p:light-dark(#fff,#1c2040);--t:light-dark(#12152b,#f1eee8);--m:light-dark(#5b6078,#a9aec8);--a:light-dark(#b3124f,#ff8fb8)}
body{margin:0;background:var(--g);color:var(--t);font:16px/1.5 system-ui,sans-serif}main{max-width:760px;margin:0 auto;padding:24px 16px}a{color:var(--a)}
ul{list-style:none;padding:0}li{background:var(--p);border-radius:14px;margin:10px 0}li a{display:block;padding:14px 16px;color:inherit;text-decoration:none}li a:focus-visible{outline:3px solid var(--a)}
small{color:var(--m)}iframe{width:100%;height:75vh;border:0;border-radius:14px;background:#fff}`;

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><link rel="stylesheet" href="/dev/mail/style.css"></head><body><main>${body}</main></body></html>`;

/** Pictures of a mail travel beside its HTML; shown here inside it. */
const withPictures = ({ html, attachments }: StoredMail) =>
  attachments.reduce(
    (text, { cid, contentType, content }) =>
      cid ? text.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`) : text,
    html,
  );

/**
 * Embedded mode only, and for this machine only: the mails that would have been sent, at /dev/mail; as JSON at
 * /dev/mail/messages.
 */
export function mailboxRoutes(folder: string): Router {
  const router = Router();
  router.use('/dev/mail', thisMachineOnly, sameOriginOnly);
  const open = async (id: string) => {
    const mail = await storedMail(folder, id);
    if (!mail) throw notFound('This mail');
    return mail;
  };

  router.get('/dev/mail/style.css', (_req, res) => void res.type('css').send(STYLE));
  router.get('/dev/mail', async (_req, res) => {
    const mails = await storedMails(folder);
    const list = mails
      .map(
        ({ id, to, subject, at }) =>
          `<li><a href="/dev/mail/${encodeURIComponent(id)}"><b>${escapeHtml(subject)}</b><br><small>to ${escapeHtml(to)} · ${escapeHtml(at)}</small></a></li>`,
      )
      .join('');
    res
      .type('html')
      .send(
        page(
          'Mailbox',
          `<h1>Mailbox</h1><p>Beltway runs without a mail server here: what it would send is kept on this page.</p>${list ? `<ul>${list}</ul>` : '<p>No mail yet. Buy a ticket.</p>'}`,
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
  router.get('/dev/mail/:id', async (req, res) => {
    const mail = await open(req.params.id);
    const files = mail.attachments
      .map(({ filename, cid }, index) =>
        cid
          ? ''
          : `<a href="/dev/mail/${encodeURIComponent(mail.id)}/attachments/${index}" download>${escapeHtml(filename)}</a>`,
      )
      .filter(Boolean)
      .join(' · ');
    res
      .type('html')
      .send(
        page(
          mail.subject,
          `<p><a href="/dev/mail">← Mailbox</a></p><h1>${escapeHtml(mail.subject)}</h1><p><small>from ${escapeHtml(mail.from)} to ${escapeHtml(mail.to)} · ${escapeHtml(mail.at)}</small></p>${files ? `<p>${files}</p>` : ''}<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/dev/mail/${encodeURIComponent(mail.id)}/html"></iframe>`,
        ),
      );
  });
  router.get('/dev/mail/:id/html', async (req, res) => {
    const html = withPictures(await open(req.params.id)).replaceAll('<a ', '<a target="_blank" ');
    res
      .type('html')
      .set(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox",
      )
      .send(html);
  });
  router.get('/dev/mail/:id/attachments/:index', async (req, res) => {
    const file = (await open(req.params.id)).attachments[Number(req.params.index)];
    if (!file) throw notFound('This attachment');
    res
      .set('content-disposition', `attachment; filename="${file.filename}"`)
      .type(file.contentType)
      .send(Buffer.from(file.content, 'base64'));
  });
  return router;
}
