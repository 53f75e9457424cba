import type { Event } from '@beltway/contracts/catalog';
import { PROMOTIONS, type PaidLevel } from '@beltway/contracts/promotion';

/** A promotion that can be bought, as people read of it. Price and hours are the catalogue's (docs/product.md#promotion). */
export interface PromotionPackage {
  level: PaidLevel;
  name: string;
  cents: number;
  hours: number;
  benefits: readonly string[];
  isMostPopular: boolean;
  /** What its checkout says when it could not begin. */
  notBegun: string;
  /** The toast after it was paid. */
  paid: { title: string; description: string };
}

/** What a checkout is of: an event, a package, and who pays. */
export interface Promoting {
  event: Event;
  offer: PromotionPackage;
  userId: number;
}

const PROMOTED: Pick<PromotionPackage, 'isMostPopular' | 'notBegun' | 'paid'> = {
  isMostPopular: false,
  notBegun: 'Failed to initialize checkout. Please try again.',
  paid: { title: 'Payment Successful!', description: 'Your event has been promoted successfully!' },
};

const named = (
  level: PaidLevel,
  rest: Pick<PromotionPackage, 'name' | 'benefits'> & Partial<PromotionPackage>,
): PromotionPackage => ({ level, ...PROMOTIONS[level], ...PROMOTED, ...rest });

/** The three packages, in the order of their prices. */
export const PACKAGES: readonly PromotionPackage[] = [
  named('featured', {
    name: 'Featured',
    benefits: [
      'Main carousel of the home page',
      `${PROMOTIONS.featured.hours}-hour promotion`,
      'Wider visibility: marked as sponsored wherever it is listed',
      'Priority placement: above the feed',
    ],
  }),
  named('premium', {
    name: 'Premium',
    benefits: [
      'Highlighted placement: marked as sponsored wherever it is listed',
      `${PROMOTIONS.premium.hours}-hour extended promotion`,
      'Top of the ‘Happening Now’ section',
      'Special badge: PREMIUM',
      'Video upload, as soon as Top Picks opens: your purchase keeps the right to it',
      'Social reach: it is seen and shared by more people',
    ],
  }),
  named('livestream', {
    name: 'Livestream',
    benefits: [
      `${PROMOTIONS.livestream.hours}-hour premium promotion`,
      'Live streaming: scheduled, announced on the home page, and sent from OBS, your browser’s camera or elsewhere',
      'Live chat',
      'Recording',
      'Analytics: who watches, minute by minute',
    ],
    isMostPopular: true,
    notBegun: 'Failed to initialize livestream checkout. Please try again.',
    paid: { title: 'Livestream Event Created!', description: 'Your live event is now scheduled and promoted!' },
  }),
];

/** The package that an address names: `featured` when it names none, undefined when there is none of that name. */
export const packageOf = (level: string | null): PromotionPackage | undefined =>
  PACKAGES.find((one) => one.level === (level || 'featured'));

/** The package of a level of the catalogue. */
export const ofLevel = (level: PaidLevel): PromotionPackage => PACKAGES.find((one) => one.level === level)!;

/** Where a package is paid; without an event one chooses it there. */
export function promotionPath(level: PaidLevel, eventId?: number): string {
  const event = eventId === undefined ? [] : [`eventId=${eventId}`];
  // A live stream is configured first, on a page of its own.
  if (level === 'livestream') return ['/livestream-checkout', ...event].join('?');
  return `/checkout?${[`level=${level}`, ...event].join('&')}`;
}

/** Where the card provider returns to, and where a payment that is not through yet is waited for. */
export const promotionSuccessPath = (level: PaidLevel, eventId: number, paymentIntentId?: string): string =>
  `/checkout/success?${new URLSearchParams({
    level,
    eventId: String(eventId),
    ...(paymentIntentId && { payment_intent: paymentIntentId }),
  }).toString()}`;
