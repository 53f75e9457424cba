import type { StreamSources } from '@beltway/contracts/media/broadcast';
import type { Event } from '@beltway/contracts/catalog/events';
import { PROMOTIONS, type PaidLevel } from '@beltway/contracts/catalog/promotion';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { texts } from './packages.texts.en.ts';

/**
 * A promotion package with its texts. The price and the hours come from the catalog
 * (services/catalog/PRODUCT.md#promotion).
 */
export interface PromotionPackage {
  level: PaidLevel;
  name: string;
  cents: number;
  hours: number;
  benefits: readonly string[];
  isMostPopular: boolean;
  /** The error text of a checkout that could not begin. */
  notBegun: string;
  /** The toast after the payment. */
  paid: { title: string; description: string };
}

/** The subject of a checkout: event, package and payer. */
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
 * The three packages, sorted by price, in the page's language. The live stream's benefits list the signal sources of
 * this installation. Until the sources are known, the list has only the sources that always work.
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

/** The package that the URL names: `featured` without a name, undefined for an unknown name. */
export const packageOf = (level: string | null): PromotionPackage | undefined =>
  packages().find((one) => one.level === (level || 'featured'));

/** The package with this promotion level. */
export const ofLevel = (level: PaidLevel, sources?: StreamSources): PromotionPackage =>
  packages(sources).find((one) => one.level === level)!;

/** Path of a package's checkout. Without an event, the checkout starts with choosing one. */
export function promotionPath(level: PaidLevel, eventId?: number): string {
  const event = eventId === undefined ? [] : [`eventId=${eventId}`];
  // A live stream has its own page, where it is configured first.
  if (level === 'livestream') return ['/livestream-checkout', ...event].join('?');
  return `/checkout?${[`level=${level}`, ...event].join('&')}`;
}

/** Path to which the card provider returns. Its page also waits for pending payments. */
export const promotionSuccessPath = (level: PaidLevel, eventId: number, paymentIntentId?: string): string =>
  `/checkout/success?${new URLSearchParams({
    level,
    eventId: String(eventId),
    ...(paymentIntentId && { payment_intent: paymentIntentId }),
  }).toString()}`;
