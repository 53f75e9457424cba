import { adPackage } from '@beltway/contracts/ads';
import { moneyText } from '@beltway/contracts/common';
import { escapeHtml } from '@beltway/kit/html';
import type { Mail } from '@beltway/kit/mail';
import type { AdOrder } from './orders.ts';

/** `booked` goes to the team, who contact the buyer; all others to the buyer. */
export type AdMailKind = 'ready' | 'approved' | 'rejected' | 'refused' | 'booked';

interface Content {
  subject: string;
  paragraphs: string[];
  rows: Array<[name: string, value: string]>;
  /** On the link to the ad's page; the team gets none. */
  action?: string;
}

const DATE = new Intl.DateTimeFormat('en-US', {
  ...{ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  timeZone: 'America/New_York',
});

const button = (link: string, action: string) =>
  `<p><a href="${escapeHtml(link)}" style="display:inline-block;background:#b3124f;color:#ffffff;padding:12px 22px;border-radius:999px;text-decoration:none;font-weight:600">${escapeHtml(action)}</a></p>`;

/** `detail`: until when it is shown, or why it is not. */
function contentOf(kind: AdMailKind, detail: string, order: AdOrder): Content {
  const { packageId, businessName, eventTitle } = order;
  const bought = adPackage(packageId);
  const hello = `Hello ${businessName},`;
  const facts: Content['rows'] = [
    ['Package', bought ? `${bought.name}, ${bought.duration}` : packageId],
    ...(eventTitle ? [['Event', eventTitle] satisfies [string, string]] : []),
  ];
  switch (kind) {
    case 'ready':
      return {
        subject: 'Your ad on Beltway: send us picture and link',
        paragraphs: [
          hello,
          'Thank you for your payment. Your ad starts when two things are done: you send us its picture and the address that it leads to, and we look at them.',
          'Both go by the page below, without an account. It also shows how often your ad was seen and clicked. Keep this mail: whoever has the link can change your ad.',
        ],
        rows: [
          ...facts,
          ...(bought ? [['Paid', `${moneyText(bought.cents)}, all included`] satisfies [string, string]] : []),
        ],
        action: 'Send picture and link',
      };
    case 'booked':
      return {
        subject: 'An ad was booked',
        paragraphs: [
          'Somebody has paid for an ad and expects to be contacted within 24 hours. An answer goes to them.',
        ],
        rows: [
          ...facts,
          ['Business', businessName],
          ['Email', order.contactEmail],
          ...(order.phone ? [['Phone', order.phone] satisfies [string, string]] : []),
          ...(order.eventDescription ? [['About the event', order.eventDescription] satisfies [string, string]] : []),
          ...(order.specialRequests ? [['Special requests', order.specialRequests] satisfies [string, string]] : []),
        ],
      };
    case 'approved':
      return {
        subject: 'Your ad is on Beltway',
        paragraphs: [hello, 'We have looked at your ad, and it is shown from now on.'],
        rows: [...facts, ['Shown until', DATE.format(new Date(detail))]],
        action: 'See how often it was seen',
      };
    case 'refused':
      return {
        subject: 'We do not show your ad: you get your money back',
        paragraphs: [
          hello,
          'We have looked at your ad and will not show it. All that you paid goes back the way it came; banks show it within 5 to 10 days.',
        ],
        rows: [...facts, ['Why', detail]],
      };
    case 'rejected':
      return {
        subject: 'Your ad needs a change',
        paragraphs: [
          hello,
          'We have looked at your ad and cannot show it as it is. You can send another picture or link by the page below.',
        ],
        rows: [...facts, ['Why', detail]],
        action: 'Change your ad',
      };
  }
}

/** What mails say of where they come from. `support`: whom buyers can ask, and who is told of new ads. */
export interface Site {
  publicUrl: string;
  support: string | undefined;
}

/**
 * Null where nobody is there to be told. The link has its key where browsers send it to no server (decision 0023). Nothing that was typed
 * stands in a header but the address, which is checked to be one.
 */
export function adMail(
  { id, kind, detail }: { id: string; kind: AdMailKind; detail: string },
  order: AdOrder,
  { publicUrl, support }: Site,
): Mail | null {
  const isToTeam = kind === 'booked';
  const to = isToTeam ? support : order.contactEmail;
  if (to === undefined) return null;
  const { subject, paragraphs, rows, action } = contentOf(kind, detail, order);
  const link = new URL(`/ad/${order.id}#key=${encodeURIComponent(order.linkKey)}`, publicUrl).href;
  const help = support && !isToTeam ? [`Questions? Write to ${support}.`] : [];
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
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;max-width:560px;margin:0 auto;padding:24px 16px">
<h1 style="font-size:24px;line-height:1.25">${escapeHtml(subject)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<table style="border-collapse:collapse;width:100%">${rows.map(([name, value]) => `<tr><td ${cell}>${escapeHtml(name)}</td><td ${cell}>${escapeHtml(value).replaceAll('\n', '<br>')}</td></tr>`).join('')}</table>
${action ? button(link, action) : ''}
${help.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}<p>Beltway</p></body></html>`,
    attachments: [],
  };
}
