import type { categoryOf } from '@beltway/contracts/catalog/categories';

const AN_ORGANISER = 'An organiser';

/** What the gateway writes into pages: their heads, and their first screens as the page's own catalogues say them. */
export const english = {
  /** In place of what the built page says besides its title; its own is English (frontend/index.html). */
  builtPage: undefined as { description: string; noScript: string } | undefined,

  // Heads
  siteName: 'Beltway: what is on around DC, Maryland and Virginia',
  siteDescription: 'Find what is on tonight in Washington DC, Maryland and Virginia, and get the ticket for it.',
  anOrganiser: AN_ORGANISER,
  organiserDescription: (name: string | undefined) =>
    `What ${name ?? AN_ORGANISER} puts on around Washington DC, Maryland and Virginia: dates, places, tickets.`,

  // Home
  welcome: 'Welcome',
  headline: 'Tonight is one exit away.',
  leadWide: 'Concerts, rooftops, markets and nights out around Washington DC, Maryland and Virginia. ',
  lead: 'Find one, get the ticket, go. The price you see is the price you pay.',
  find: 'Find an event',
  launch: 'Launch My Event',
  nextUp: 'Next up',
  where: 'Where: ',
  freeEntry: 'Free entry',

  // An event
  category: ({ label }: ReturnType<typeof categoryOf>) => label,
  sponsored: 'SPONSORED',
  ended: 'Ended',
  pictureOf: (title: string) => `Picture of ${title}`,
  date: 'Date',
  time: 'Time',
  place: 'Place',
  directions: 'Directions',
  newTab: ' (opens a map in a new tab)',
  entry: 'Entry',
  freeEntryNoTicket: 'Free entry, no ticket needed',
  tags: 'Tags',
  tickets: 'Tickets',
  perTicket: 'per ticket, nothing added',
  liveStream: 'Live stream',

  // Checkout and sign-in
  firstStep: 'Step 1 of 2',
  getTickets: 'Get your tickets',
  comeIn: 'Come on in.',
  whyAccount: 'With an account your tickets are in one place, and your own events are a form away.',
};

export type Words = typeof english;
