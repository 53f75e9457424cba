import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Terms',
  lead: 'How Beltway works for those who go out and for those who put something on.',
  updated: 'November 23, 2026',
  whoDoes: 'Who does what',
  roles:
    'An organizer announces an event, holds it and answers for it. Beltway shows it, sells its tickets, and pays the money back when it is canceled. Anybody may look, and buy as a guest; launching an event takes an account.',
  prices: 'Prices and fees',
  noFees: 'You pay the price of the ticket times their number. Nothing is added: no service fee, no processing fee.',
  priceHeld: 'The price is the one at the time when your tickets were held for you.',
  share: 'Beltway keeps 5% of each order. The organizer gets the other 95%.',
  free: 'Announcing an event costs nothing.',
  buying: 'Buying',
  hold: 'Opening the checkout holds a ticket for you, for ten minutes; you can extend that once. What is not paid by then goes back on sale.',
  limit: 'One purchase has one to ten tickets. Cards only.',
  late: 'Money that arrives after your hold has ended buys tickets while there are enough left; otherwise it is refunded at once.',
  ticketCode: 'Each ticket has a code. It admits one person, once. Show it to nobody but the door.',
  guestLink:
    "The link in a guest's mail opens the order. Whoever has the link has the tickets: a new one ends the one before.",
  whenBack: 'When money comes back, and when it does not: <refunds>Refunds</refunds>.',
  puttingOn: 'Putting something on',
  isTrue:
    'What you announce is true, yours to announce, and takes place in or around Washington, Maryland or Virginia.',
  picture: 'The picture is one you may use.',
  changing:
    'You can change an event, and cancel it. Canceling is final: every buyer is refunded the whole price, and our 5% goes back with it.',
  notLower: 'The number of tickets cannot be lowered below what is sold and held.',
  attendees: 'You see who comes: names and numbers of tickets. Use them for this event only.',
  notAllowed: 'What is not allowed',
  notAllowedWhat:
    'Events and comments that break the law, deceive or harass; advertising in comments; buying or holding tickets by programs to keep them from others; getting around the limits of the site. Admins can change or cancel such events. The organizer of an event and admins can hide comments below it.',
  wrong: 'If something goes wrong',
  wrongWhat:
    'The site can be away for a while, and an organizer can change an event. What you paid for a canceled event comes back in any case. For anything else <contact>write to us</contact>.',
} as const;
export const texts = catalog(english, { es: () => import('./terms.texts.es.ts') });
