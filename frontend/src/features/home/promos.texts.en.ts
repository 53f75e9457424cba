import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  forBusinesses: 'For businesses',
  beSeen: 'Reach people who are going out tonight',
  viewPackages: 'View Packages',
  contactSales: 'Contact Sales',
  beSeenWhy: 'Ad packages start at {price} per week.',
  advertisement: 'Advertisement',
  discountTitle: '{percent} off tickets elsewhere',
  discountGet: 'Get {percent} off',
  discountWhy: 'A ticket marketplace offers {percent} off on its own site. They sell and refund what you buy there.',
  fromUs: 'From Beltway',
  priceTitle: 'The price on the card is what you pay',
  priceLink: 'How prices work',
  refundTitle: 'Canceled? You get your money back automatically',
  refundLink: 'How refunds work',
  sellTitle: 'Nothing to pay until you sell',
  sellWhy: 'Listing is free. You keep 95% of every ticket.',
  newTab: '(opens in a new tab)',
  launch: 'Launch My Event',
} as const;
export const texts = catalog(english, { es: () => import('./promos.texts.es.ts') });
