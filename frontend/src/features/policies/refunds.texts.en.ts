import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Refunds',
  lead: 'When you get your money back, how much, and how.',
  updated: 'November 28, 2026',
  canceled: 'The event is canceled',
  byItself: 'Every order is refunded in full automatically. You don’t have to ask.',
  mails:
    'We email you when we request the refund and again when it’s sent. If it fails, we let you know and try again.',
  toCard: 'The money goes back to the card you paid with. When you see it depends on your bank, often a few days.',
  void: 'Your tickets are void from the moment the event is canceled. They show as canceled in <tickets>My Tickets</tickets> and behind the link in your email.',
  noTickets: 'You paid, but got no tickets',
  noTicketsWhy:
    'If your payment arrives after your hold ended, and the tickets are gone or the event is over, we refund it in full right away and email you.',
  cannotCome: 'You can’t make it',
  deadline:
    'The organizer sets how long you can cancel, by default until 24 hours before the event. The event page and the checkout show the date and time before you pay. Your order keeps that deadline. If it has passed when you buy, you can’t cancel.',
  canceling:
    'Cancel some or all of your tickets on your order page. Open it from <tickets>My Tickets</tickets> or the link in your email. You get the full price of each ticket back.',
  codesEnd: 'The codes of canceled tickets stop working right away, and the tickets go back on sale.',
  postponed:
    'While an event is postponed you can cancel at any time, unless its tickets were never refundable. After the deadline only the organizer can refund you: <contact>write to us</contact> with your order number.',
  often:
    'You can cancel tickets from 5 orders within 30 days, or from one more every 6 days. Guests, and accounts without a verified email address, share 30 orders a day per network address. Each canceled order costs us a card provider fee. After that only the organizer can refund you.',
  byOrganizer: 'The organizer refunds you',
  byOrganizerWhy:
    'The organizer and Beltway can refund an order, or some of its tickets, at any time. We’ll email you.',
  unknown: 'A charge you don’t recognize',
  unknownWhy:
    'First <contact>write to us</contact> with the date and the amount. While your bank disputes a payment, its tickets can’t be used. If the bank takes the money back, they’re void.',
  fee: 'Our fee',
  feeWhy: 'A refund returns everything you paid, including the 5% that Beltway keeps of an order.',
  promotions: 'Promotions, live streams and ads',
  promotionsWhy:
    'You can’t cancel what you paid for a promotion, a live stream or an ad. If a payment was a mistake, <contact>write to us</contact>. Anything we refund ends right away.',
  elsewhere: 'Tickets bought elsewhere',
  elsewhereWhy: 'If you buy on another site, such as a discount marketplace, that site handles refunds.',
} as const;
export const texts = catalog(english, { es: () => import('./refunds.texts.es.ts') });
