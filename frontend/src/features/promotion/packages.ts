import type { StreamSources } from '@beltway/contracts/media/broadcast';
import type { Event } from '@beltway/contracts/catalog/events';
import { PROMOTIONS, type PaidLevel } from '@beltway/contracts/catalog/promotion';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './packages.texts.en.ts';

/** A promotion that can be bought, as people read of it. Price and hours are the catalogue's (services/catalog/PRODUCT.md#promotion). */
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

const named = (
  level: PaidLevel,
  rest: Pick<PromotionPackage, 'name' | 'benefits' | 'notBegun' | 'paid'> & Partial<PromotionPackage>,
): PromotionPackage => ({ level, ...PROMOTIONS[level], isMostPopular: false, ...rest });

const OUTSIDE_ONLY: StreamSources = { encoder: false, camera: false };

/**
 * The three packages, in the order of their prices, in the page's language. A live stream is described by what this installation can take a
 * signal from: until that is known, only by what always works.
 */
export function packages({ encoder, camera } = OUTSIDE_ONLY): readonly PromotionPackage[] {
  const t = textsNow(texts);
  const streaming = camera ? 'streamingBoth' : encoder ? 'streamingEncoder' : 'streaming';
  const promoted = {
    notBegun: t('notBegun'),
    paid: { title: t('paid'), description: t('paidWhy') },
  };
  const hours = (level: PaidLevel) => ({ hours: String(PROMOTIONS[level].hours) });
  return [
    named('featured', {
      ...promoted,
      name: t('featured'),
      benefits: [t('carousel'), t('hoursFeatured', hours('featured')), t('wider'), t('priority')],
    }),
    named('premium', {
      ...promoted,
      name: t('premium'),
      benefits: [
        t('highlighted'),
        t('hoursExtended', hours('premium')),
        t('happeningNow'),
        t('badge'),
        t('videoUpload'),
        t('reach'),
      ],
    }),
    named('livestream', {
      name: t('livestream'),
      benefits: [t('hoursPremium', hours('livestream')), t(streaming), t('chat'), t('recording'), t('analytics')],
      isMostPopular: true,
      notBegun: t('livestreamNotBegun'),
      paid: { title: t('livestreamPaid'), description: t('livestreamPaidWhy') },
    }),
  ];
}

/** The package that an address names: `featured` when it names none, undefined when there is none of that name. */
export const packageOf = (level: string | null): PromotionPackage | undefined =>
  packages().find((one) => one.level === (level || 'featured'));

/** The package of a level of the catalogue. */
export const ofLevel = (level: PaidLevel, sources?: StreamSources): PromotionPackage =>
  packages(sources).find((one) => one.level === level)!;

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
