import { readFileSync } from 'node:fs';
import type { Language } from '@beltway/contracts/common/languages';
import { type Markup, markup } from '../html.ts';
import type { Attachment, Mail } from './mailer.ts';

/** The content of a mail. HTML and plain text are generated from the same content, so they contain the same facts. */
export interface Content {
  /** The recipient's language. */
  language: Language;
  title: string;
  /** The text that mail clients show next to the subject. Default: the first paragraph. */
  preview?: string;
  paragraphs?: string[];
  /** The most important sentence, in bold. */
  emphasis?: string;
  rows?: Row[];
  /** News items, each with a link. */
  items?: Item[];
  action?: Link | undefined;
  codes?: Code[];
  /** Small print at the end. */
  notes?: Array<string | Link>;
  /** An image at the top, as JPEG. */
  poster?: Buffer | null;
}

export interface Link {
  text: string;
  url: string;
}
interface Row {
  name: string;
  value: string;
  links?: Link[];
}
interface Item extends Link {
  title: string;
}
interface Code {
  name: string;
  code: string;
  /** Alternative text of the image. */
  alt: string;
  /** Content id of the attached image. */
  cid: string;
}

const MARK_CID = 'mark@beltway';
const POSTER_CID = 'poster@beltway';

const FONT = markup`-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** Styles for mail clients with a dark theme. Most other clients keep only inline styles. */
const DARK = markup`@media (prefers-color-scheme: dark){
.ground{background:#0b0d1f!important}.card{background:#181b38!important}.ink{color:#f1eee8!important}.soft{color:#a9aec8!important}
.line{border-color:#2f3460!important}.link{color:#ff8fb8!important}.action{background:#ff8fb8!important;color:#12152b!important}}`;

/** Text with its line breaks. */
const lines = (text: string) => text.split('\n').map((line, index) => (index === 0 ? line : markup`<br>${line}`));

const anchor = ({ text, url }: Link) => markup`<a class="link" href="${url}" style="color:#b3124f">${text}</a>`;

const paragraph = (content: string | Markup) =>
  markup`<p style="margin:0 0 12px;overflow-wrap:anywhere">${typeof content === 'string' ? lines(content) : content}</p>`;

const row = ({ name, value, links = [] }: Row) =>
  markup`<tr><td class="soft line" style="padding:9px 14px 9px 0;border-top:1px solid #e4ddd0;color:#5b6078;vertical-align:top">${lines(name)}</td>
<td class="line" style="padding:9px 0;border-top:1px solid #e4ddd0;vertical-align:top;overflow-wrap:anywhere">${lines(value)}${links.map((link) => markup`<br>${anchor(link)}`)}</td></tr>`;

const item = ({ title, text, url }: Item) =>
  markup`<div class="line" style="border-top:1px solid #e4ddd0;padding:12px 0 0">${paragraph(markup`<b>${anchor({ text: title, url })}</b><br>${lines(text)}`)}</div>`;

/**
 * Dark on white with a white margin in both themes, because scanners require it. If images are blocked, the QR code's
 * content is still readable as text.
 */
const scannable = ({ name, code, alt, cid }: Code) =>
  markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:12px 0;background:#ffffff;border-radius:14px"><tr><td align="center" style="padding:16px;color:#12152b;background:#ffffff;border-radius:14px">
<p style="margin:0 0 8px;color:#5b6078">${lines(name)}</p><img src="cid:${cid}" width="220" height="220" alt="${alt}" style="display:block">
<p style="margin:8px 0 0;font:600 18px ui-monospace,Menlo,Consolas,monospace;color:#12152b">${lines(code)}</p></td></tr></table>`;

const factTable = (rows: Row[]) =>
  markup`<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:8px 0 16px;font-size:15px">${rows.map(row)}</table>`;

const button = ({ text, url }: Link) =>
  markup`<a class="action" href="${url}" style="display:inline-block;background:#b3124f;color:#ffffff;padding:12px 22px;border-radius:999px;text-decoration:none;font-weight:600">${text}</a>`;

const POSTER = markup`<img src="cid:${POSTER_CID}" width="520" alt="" style="display:block;width:100%;height:auto;border-radius:14px;margin:0 0 20px">`;

const note = (content: string | Link) =>
  markup`<p style="margin:0 0 8px">${typeof content === 'string' ? lines(content) : anchor(content)}</p>`;

function asHtml(content: Content): string {
  const { language, title, paragraphs = [], preview = paragraphs[0], emphasis, poster } = content;
  const { rows = [], items = [], action, codes = [], notes = [] } = content;
  return markup`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${title}</title><style>${DARK}</style></head>
<body class="ground ink" style="margin:0;background:#f5f1ea;color:#12152b;font:16px/1.5 ${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="ground ink" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f1ea;color:#12152b;font:16px/1.5 ${FONT}"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left"><tr><td>
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr><td><img src="cid:${MARK_CID}" width="28" height="28" alt="" style="display:block"></td><td class="ink" style="padding-left:8px;font-weight:700;font-size:20px;letter-spacing:-.02em">Beltway</td></tr></table>
<div class="card" style="background:#fffdf9;border-radius:18px;padding:20px">${poster ? POSTER : null}<h1 class="ink" style="font-size:24px;line-height:1.25;margin:0 0 12px;overflow-wrap:anywhere">${lines(title)}</h1>
${paragraphs.map(paragraph)}${emphasis && paragraph(markup`<b>${lines(emphasis)}</b>`)}
${rows.length > 0 && factTable(rows)}${items.map(item)}
${action && button(action)}</div>
${codes.map(scannable)}
<div class="soft" style="padding:12px 4px;color:#5b6078;font-size:14px">${notes.map(note)}</div>
</td></tr></table></td></tr></table></body></html>`.html;
}

const line = ({ text, url }: Link): string => `${text}: ${url}`;

function asText({ title, paragraphs = [], emphasis, rows = [], items = [], action, codes = [], notes = [] }: Content) {
  const facts = rows.flatMap(({ name, value, links = [] }) => [
    `${name}: ${value}`,
    ...links.map((link) => `  ${line(link)}`),
  ]);
  return [
    `BELTWAY\n${title}`,
    ...paragraphs,
    emphasis,
    facts.join('\n'),
    ...items.map((news) => `${news.title}\n${news.text}\n${news.url}`),
    action && line(action),
    codes.map(({ name, code }) => `${name}: ${code}`).join('\n'),
    ...notes.map((content) => (typeof content === 'string' ? content : line(content))),
  ]
    .filter(Boolean)
    .join('\n\n');
}

let mark: Buffer | undefined;

/** The logo, and the poster if there is one. The images are not SVG, because mail clients drop SVG. */
function pictures(poster: Buffer | null): Attachment[] {
  mark ??= readFileSync(new URL('./mark.png', import.meta.url));
  return [
    { filename: 'beltway.png', contentType: 'image/png', content: mark, cid: MARK_CID },
    ...(poster ? [{ filename: 'poster.jpg', contentType: 'image/jpeg', content: poster, cid: POSTER_CID }] : []),
  ];
}

/** Composes a mail in the common layout. `files` are attached after the layout's images and the images of `codes`. */
export const composeMail = (
  head: Pick<Mail, 'id' | 'to' | 'replyTo' | 'unsubscribeUrl'>,
  content: Content,
  { codes = [], files = [] }: { codes?: Attachment[]; files?: Attachment[] } = {},
): Mail => ({
  ...head,
  subject: content.title,
  text: asText(content),
  html: asHtml(content),
  attachments: [...codes, ...pictures(content.poster ?? null), ...files],
});
