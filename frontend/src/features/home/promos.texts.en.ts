import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  forBusinesses: 'For businesses',
  beSeen: 'Be seen by people on their way out',
  viewPackages: 'View Packages',
  contactSales: 'Contact Sales',
  beSeenWhy: 'Ad packages start at {price} per week.',
  advertisement: 'Advertisement',
  discountTitle: '{percent} off tickets elsewhere',
  discountGet: 'Get {percent} off',
  discountWhy:
    'A ticket marketplace gives {percent} off on its own site. What you buy there is sold and refunded by them.',
  fromUs: 'From Beltway',
  priceTitle: 'The price on the card is what you pay',
  priceLink: 'How prices work',
  refundTitle: 'Canceled? Your money comes back by itself',
  refundLink: 'How refunds work',
  sellTitle: 'Nothing to pay until you sell',
  sellWhy: 'Announcing an event is free. Of each ticket sold 95% is yours.',
  newTab: '(opens in a new tab)',
  launch: 'Launch My Event',
} as const;
export const texts = catalog(english, { es: () => import('./promos.texts.es.ts') });
