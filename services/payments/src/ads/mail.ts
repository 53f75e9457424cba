import { adPackage } from '@beltway/contracts/payments/ads';
import { moneyText } from '@beltway/contracts/common/basics';
import type { Mail } from '@beltway/kit/mail';
import { composeMail } from '@beltway/kit/mail/layout';
import type { AdOrder } from './orders.ts';
import type { AdWords } from './words/english.ts';
import { adWordsIn } from './words/words.ts';

/** `booked` goes to the team, which then contacts the buyer; all other mails go to the buyer. */
export type AdMailKind = 'ready' | 'approved' | 'rejected' | 'refused' | 'booked';

interface Content {
  subject: string;
  paragraphs: string[];
  rows: Array<[name: string, value: string]>;
  /** Label of the link to the ad's page; mails to the team have none. */
  action?: string;
}

type Rows = Content['rows'];
/** Omits the row when the value is empty. */
const row = (name: string, value: string): Rows => (value ? [[name, value]] : []);

const factsOf = ({ packageId, eventTitle }: AdOrder, { names, bought }: AdWords): Rows => {
  const known = adPackage(packageId);
  return [[names.package, known ? bought(known) : packageId], ...row(names.event, eventTitle)];
};

/** The mail to the team, in English, with everything the buyer entered. */
const toTeam = (order: AdOrder): Content => ({
  subject: 'An ad was booked',
  paragraphs: ['Someone paid for an ad and expects to hear from us within 24 hours. Replies go to them.'],
  rows: [
    ...factsOf(order, adWordsIn.en),
    ['Business', order.businessName],
    ['Email', order.contactEmail],
    ...row('Phone', order.phone),
    ...row('About the event', order.eventDescription),
    ...row('Special requests', order.specialRequests),
  ],
});

/**
 * The mail to the buyer, in the order's language. `detail`: the time until which the ad is shown, or the admin's reason
 * for not showing the ad.
 */
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

/**
 * Site data for mails. `support`: the team's email address, which buyers can write to and which gets a mail about each
 * new ad.
 */
export interface Site {
  publicUrl: string;
  support: string | undefined;
}

/**
 * Returns null when the mail has no recipient: no email address of the team is configured, or the buyer's account was
 * erased. The key of the link is in the URL fragment, which browsers do not send to servers (decision 0023). The only
 * user input in a mail header is the buyer's email address, which is validated.
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
  return composeMail(
    { id: `ad-${kind}-${id}`, to, ...(isToTeam && { replyTo: order.contactEmail }) },
    {
      ...{ language, title: subject, preview: paragraphs.at(-1) ?? '', paragraphs, notes: help },
      rows: rows.map(([name, value]) => ({ name, value })),
      action: action === undefined ? undefined : { text: action, url: link },
    },
  );
}
