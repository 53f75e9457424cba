import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Refunds',
  lead: 'When you get your money back, how much, and how.',
  updated: 'November 28, 2026',
  canceled: 'The event is canceled',
  byItself: 'Every order is refunded by itself, the whole price. You do not have to ask.',
  mails:
    'A first mail says that the refund was asked for, a second one that it was sent. If it fails, another mail says so, and it is tried again.',
  toCard: 'The money goes to the card you paid with. How soon you see it is up to your bank, often some days.',
  void: 'Your tickets are void from the moment of canceling, and show as canceled in <tickets>My Tickets</tickets> and behind the link in your mail.',
  noneLeft: 'You paid, and there were no tickets left',
  noneLeftWhy:
    'If your payment arrives after your hold has ended and the tickets are gone, it is refunded at once, whole, and a mail tells you. Nobody pays for nothing.',
  cannotCome: 'You cannot come',
  deadline:
    'The organizer says until when you may cancel, by default until 24 hours before the event. The event’s page and the checkout say the day and the hour before you pay, and what you were promised then stays so. If that time is over when you buy, you cannot cancel.',
  canceling:
    'Cancel all or some of your tickets on the page of your order, which <tickets>My Tickets</tickets> and the link in your mail open. You get the whole price of each back.',
  codesEnd: 'The codes of canceled tickets end at once, and the tickets are on sale again.',
  postponed:
    'While an event is postponed you may cancel at any time, unless its tickets could never be canceled. After the deadline only the organizer can refund you: <contact>write to us</contact>, with the number of your order.',
  often:
    'You can cancel tickets of 5 orders within 30 days, or of one more every 6 days. Guests, and accounts without a verified email address, share 30 orders a day at one network address. Each order that is canceled costs us a fee of the card provider. After that only the organizer can refund you.',
  byOrganizer: 'The organizer refunds you',
  byOrganizerWhy:
    'The organizer and Beltway may refund an order, or some of its tickets, at any time. A mail tells you.',
  unknown: 'A payment you do not know',
  unknownWhy:
    '<contact>Write to us</contact> first, with the day and the amount. While your bank disputes a payment its tickets admit nobody; taken back by the dispute, they end.',
  fee: 'Our fee',
  feeWhy: 'A refund gives back all you paid. The 5% that Beltway keeps of an order goes back with it.',
  promotions: 'Promotions, live streams and ads',
  promotionsWhy:
    'You cannot cancel what you paid to promote an event, for a live stream or for an ad. If a payment was a mistake, <contact>write to us</contact>; what is refunded ends at once.',
  elsewhere: 'Tickets bought elsewhere',
  elsewhereWhy: 'What you buy on another site, such as a marketplace with a discount, is refunded by that site.',
} as const;
export const texts = catalog(english, { es: () => import('./refunds.texts.es.ts') });
