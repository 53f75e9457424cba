import { adPackage } from '@beltway/contracts/payments/ads';
import { moneyText } from '@beltway/contracts/common/basics';
import type { Mail } from '@beltway/kit/mail';
import { composeMail } from '@beltway/kit/mail/layout';
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
 * (decision 0023). Nothing that was typed is in a header but the address, which is checked to be one.
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
