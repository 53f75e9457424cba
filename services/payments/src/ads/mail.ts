import { adPackage } from '@beltway/contracts/payments/ads';
import { moneyText } from '@beltway/contracts/common/basics';
import { escapeHtml } from '@beltway/kit/html';
import type { Mail } from '@beltway/kit/mail';
import type { AdOrder } from './orders.ts';
import type { AdWords } from './words/english.ts';
import { adWordsIn } from './words/words.ts';

/** `booked` goes to the team, who contact the buyer; all others to the buyer. */
export type AdMailKind = 'ready' | 'approved' | 'rejected' | 'refused' | 'booked';

interface Content {
  subject: string;
  paragraphs: string[];
  rows: Array<[name: string, value: string]>;
  /** On the link to the ad's page; the team gets none. */
  action?: string;
}

const button = (link: string, action: string) =>
  `<p><a href="${escapeHtml(link)}" style="display:inline-block;background:#b3124f;color:#ffffff;padding:12px 22px;border-radius:999px;text-decoration:none;font-weight:600">${escapeHtml(action)}</a></p>`;

type Rows = Content['rows'];
/** A fact that may be missing. */
const row = (name: string, value: string): Rows => (value ? [[name, value]] : []);

const factsOf = ({ packageId, eventTitle }: AdOrder, { names, bought }: AdWords): Rows => {
  const known = adPackage(packageId);
  return [[names.package, known ? bought(known) : packageId], ...row(names.event, eventTitle)];
};

/** To the team, in English, with all that the buyer typed. */
const toTeam = (order: AdOrder): Content => ({
  subject: 'An ad was booked',
  paragraphs: ['Somebody has paid for an ad and expects to be contacted within 24 hours. An answer goes to them.'],
  rows: [
    ...factsOf(order, adWordsIn.en),
    ['Business', order.businessName],
    ['Email', order.contactEmail],
    ...row('Phone', order.phone),
    ...row('About the event', order.eventDescription),
    ...row('Special requests', order.specialRequests),
  ],
});

/** To the buyer, in the language of the order. `detail`: until when it is shown, or why it is not, as an admin wrote it. */
function toBuyer(kind: Exclude<AdMailKind, 'booked'>, detail: string, order: AdOrder): Content {
  const words = adWordsIn[order.language];
  const { names } = words;
  const cents = adPackage(order.packageId)?.cents;
  const more: Record<typeof kind, () => Rows> = {
    ready: () => row(names.paid, cents === undefined ? '' : words.allIncluded(moneyText(cents))),
    approved: () => [[names.shownUntil, words.day(new Date(detail))]],
    refused: () => [[names.why, detail]],
    rejected: () => [[names.why, detail]],
  };
  const letter = words[kind];
  return {
    ...letter,
    paragraphs: [words.hello(order.businessName), ...letter.paragraphs],
    rows: [...factsOf(order, words), ...more[kind]()],
  };
}

/** What mails say of where they come from. `support`: whom buyers can ask, and who is told of new ads. */
export interface Site {
  publicUrl: string;
  support: string | undefined;
}

/**
 * Null where the mail has no recipient: no team address, or an erased account. The link has its key where browsers send it to no server
 * (decision 0023). Nothing that was typed stands in a header but the address, which is checked to be one.
 */
export function adMail(
  { id, kind, detail }: { id: string; kind: AdMailKind; detail: string },
  order: AdOrder,
  { publicUrl, support }: Site,
): Mail | null {
  const isToTeam = kind === 'booked';
  const to = isToTeam ? support : order.contactEmail;
  if (!to) return null;
  const { subject, paragraphs, rows, action } = kind === 'booked' ? toTeam(order) : toBuyer(kind, detail, order);
  const { language, help: helpBy } = adWordsIn[isToTeam ? 'en' : order.language];
  const link = new URL(`/ad/${order.id}#key=${encodeURIComponent(order.linkKey)}`, publicUrl).href;
  const help = support && !isToTeam ? [helpBy(support)] : [];
  const cell = 'style="padding:9px 14px 9px 0;border-top:1px solid #c9c3b7;vertical-align:top"';
  return {
    id: `ad-${kind}-${id}`,
    to,
    ...(isToTeam && { replyTo: order.contactEmail }),
    subject,
    text: [
      ...paragraphs,
      rows.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ...(action ? [`${action}: ${link}`] : []),
      ...help,
      'Beltway',
    ].join('\n\n'),
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;max-width:560px;margin:0 auto;padding:24px 16px">
<h1 style="font-size:24px;line-height:1.25">${escapeHtml(subject)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<table style="border-collapse:collapse;width:100%">${rows.map(([name, value]) => `<tr><td ${cell}>${escapeHtml(name)}</td><td ${cell}>${escapeHtml(value).replaceAll('\n', '<br>')}</td></tr>`).join('')}</table>
${action ? button(link, action) : ''}
${help.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}<p>Beltway</p></body></html>`,
    attachments: [],
  };
}
