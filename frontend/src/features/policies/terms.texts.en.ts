import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Terms',
  lead: 'How Beltway works for guests and for organizers.',
  updated: 'November 23, 2026',
  whoDoes: 'Who does what',
  roles:
    'Organizers announce events, hold them and are responsible for them. Beltway lists events, sells tickets, and refunds them when an event is canceled. Anyone can browse, and buy as a guest. You need an account to launch an event.',
  prices: 'Prices and fees',
  noFees: 'You pay the ticket price times the number of tickets. We add nothing: no service fee, no processing fee.',
  priceHeld: 'You pay the price from when we held your tickets.',
  share: 'Beltway keeps 5% of each order. The organizer gets the other 95%.',
  free: 'Listing an event is free.',
  buying: 'Buying',
  hold: 'Opening the checkout holds a ticket for you for ten minutes. You can extend that once. Tickets you don’t pay for by then go back on sale.',
  limit: 'You can buy one to ten tickets per purchase. Cards only.',
  late: 'If your payment arrives after your hold ended, you still get tickets if enough are left and the event isn’t over. Otherwise we refund you right away.',
  ticketCode: 'Each ticket has a code. It admits one person, once. Don’t share your code.',
  guestLink:
    'The link in a guest’s email opens the order. Anyone with the link can use the tickets. A new link replaces the old one.',
  whenBack: 'When you get your money back, and when you don’t: <refunds>Refunds</refunds>.',
  puttingOn: 'Hosting events',
  isTrue: 'Your listing must be true, yours to announce, and in or around Washington, Maryland or Virginia.',
  picture: 'Use only photos you have the right to use.',
  changing:
    'You can edit or cancel an event. Canceling is final: every buyer gets a full refund, and our 5% goes back too.',
  notLower: 'You can’t lower the number of tickets below what is sold and held.',
  attendees: 'You can see who’s coming: names and numbers of tickets. Use them for this event only.',
  notAllowed: 'What is not allowed',
  notAllowedWhat:
    'Events and comments that break the law, deceive or harass; advertising in comments; using software to buy or hold tickets so others can’t get them; getting around the site’s limits. Admins can edit or cancel such events. An event’s organizer and admins can hide its comments.',
  wrong: 'If something goes wrong',
  wrongWhat:
    'The site may be down for a while, and organizers may change events. If an event is canceled, you always get your money back. For anything else, <contact>write to us</contact>.',
} as const;
export const texts = catalog(english, { es: () => import('./terms.texts.es.ts') });
