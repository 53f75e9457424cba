import { readFileSync } from 'node:fs';
import { escapeHtml } from '@beltway/kit/html';
import type { Words } from '../words/english.ts';
import type { Attachment } from '@beltway/kit/mail';

/** The content of a mail. Both parts, HTML and plain text, are made of this alone, so that they say the same. */
export interface Content {
  /** In its reader's language. */
  words: Pick<Words, 'language' | 'qrOf'>;
  title: string;
  /** What a mailbox shows beside the subject. */
  preview: string;
  /** Sentences, one paragraph each. */
  paragraphs: string[];
  /** The most important sentence, in bold. */
  emphasis?: string;
  rows: Row[];
  action: Link;
  codes: Code[];
  /** Small, at the end. */
  notes: string[];
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
interface Code {
  name: string;
  code: string;
  /** Of the picture that is attached. */
  cid: string;
}

export const MARK_CID = 'mark@beltway';
export const POSTER_CID = 'poster@beltway';

const FONT = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** Inline styles are what most mail readers keep; those that know themes take the dark colours from here. */
const DARK = `@media (prefers-color-scheme: dark){
.ground{background:#0b0d1f!important}.card{background:#181b38!important}.ink{color:#f1eee8!important}.soft{color:#a9aec8!important}
.line{border-color:#2f3460!important}.link{color:#ff8fb8!important}.action{background:#ff8fb8!important;color:#12152b!important}}`;

const anchor = ({ text, url }: Link) =>
  `<a class="link" href="${escapeHtml(url)}" style="color:#b3124f">${escapeHtml(text)}</a>`;

const row = ({ name, value, links = [] }: Row) =>
  `<tr><td class="soft line" style="padding:9px 14px 9px 0;border-top:1px solid #e4ddd0;color:#5b6078;vertical-align:top">${escapeHtml(name)}</td>
<td class="line" style="padding:9px 0;border-top:1px solid #e4ddd0;vertical-align:top">${escapeHtml(value)}${links.map((link) => `<br>${anchor(link)}`).join('')}</td></tr>`;

/** Dark on white in both themes, with white around it: scanners want it so. */
const ticket = ({ name, code, cid }: Code, words: Content['words']) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:12px 0;background:#ffffff;border-radius:14px"><tr><td align="center" style="padding:16px;color:#12152b;background:#ffffff;border-radius:14px">
<p style="margin:0 0 8px;color:#5b6078">${escapeHtml(name)}</p><img src="cid:${cid}" width="220" height="220" alt="${escapeHtml(words.qrOf(code))}" style="display:block">
<p style="margin:8px 0 0;font:600 18px ui-monospace,Menlo,Consolas,monospace;color:#12152b">${escapeHtml(code)}</p></td></tr></table>`;

const paragraph = (text: string) => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`;

export function asHtml(content: Content, hasPoster: boolean): string {
  const { words, title, preview, paragraphs, emphasis, rows, action, codes, notes } = content;
  const poster = hasPoster
    ? `<img src="cid:${POSTER_CID}" width="520" alt="" style="display:block;width:100%;height:auto;border-radius:14px;margin:0 0 20px">`
    : '';
  return `<!doctype html><html lang="${words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title><style>${DARK}</style></head>
<body class="ground ink" style="margin:0;background:#f5f1ea;color:#12152b;font:16px/1.5 ${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" class="ground ink" width="100%" cellpadding="0" cellspacing="0" style="background:#f5f1ea;color:#12152b;font:16px/1.5 ${FONT}"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left"><tr><td>
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr><td><img src="cid:${MARK_CID}" width="28" height="28" alt="" style="display:block"></td><td class="ink" style="padding-left:8px;font-weight:700;font-size:20px;letter-spacing:-.02em">Beltway</td></tr></table>
<div class="card" style="background:#fffdf9;border-radius:18px;padding:20px">${poster}<h1 class="ink" style="font-size:24px;line-height:1.25;margin:0 0 12px">${escapeHtml(title)}</h1>
${paragraphs.map(paragraph).join('')}${emphasis ? `<p style="margin:0 0 12px"><b>${escapeHtml(emphasis)}</b></p>` : ''}
<table width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:8px 0 16px;font-size:15px">${rows.map(row).join('')}</table>
<a class="action" href="${escapeHtml(action.url)}" style="display:inline-block;background:#b3124f;color:#ffffff;padding:12px 22px;border-radius:999px;text-decoration:none;font-weight:600">${escapeHtml(action.text)}</a></div>
${codes.map((code) => ticket(code, words)).join('')}
<div class="soft" style="padding:12px 4px;color:#5b6078;font-size:14px">${notes.map((text) => `<p style="margin:0 0 8px">${escapeHtml(text)}</p>`).join('')}</div>
</td></tr></table></td></tr></table></body></html>`;
}

export const asText = ({ title, paragraphs, emphasis, rows, action, codes, notes }: Content): string =>
  [
    `BELTWAY\n${title}`,
    ...paragraphs,
    ...(emphasis ? [emphasis] : []),
    rows
      .flatMap(({ name, value, links = [] }) => [
        `${name}: ${value}`,
        ...links.map(({ text, url }) => `  ${text}: ${url}`),
      ])
      .join('\n'),
    `${action.text}: ${action.url}`,
    ...(codes.length > 0 ? [codes.map(({ name, code }) => `${name}: ${code}`).join('\n')] : []),
    ...notes,
  ].join('\n\n');

let mark: Buffer | undefined;

/** The ring, and the poster where there is one. A picture and not a drawing: mail readers drop SVG. */
export function pictures(poster: Buffer | null): Attachment[] {
  mark ??= readFileSync(new URL('./mark.png', import.meta.url));
  return [
    { filename: 'beltway.png', contentType: 'image/png', content: mark, cid: MARK_CID },
    ...(poster ? [{ filename: 'poster.jpg', contentType: 'image/jpeg', content: poster, cid: POSTER_CID }] : []),
  ];
}
