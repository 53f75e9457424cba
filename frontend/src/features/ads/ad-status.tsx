import { adPackage } from '@beltway/contracts/payments/ads';
import type { AdEndReason, BoughtAd } from '@beltway/contracts/catalog/served-ads';
import type { ReactNode } from 'react';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { formatCount, formatMoment, formatPercent } from '../../lib/i18n/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { usePackages } from '../../lib/ads/package-names.ts';
import { texts } from './texts.en.ts';

const TONES: Record<BoughtAd['state'], BadgeTone> = {
  ...{ bought: 'warning', waiting: 'neutral', rejected: 'danger', running: 'success', ended: 'neutral' },
};

/** A badge for the state of an ad: what the ad is waiting for, or that the ad is running. */
export const StateBadge = ({ state }: Pick<BoughtAd, 'state'>) => (
  <Badge tone={TONES[state]}>{useTexts(texts)(state)}</Badge>
);

/** "12 of 5,000": impressions so far, and impressions bought. */
function shownOf(t: TextsOf<typeof texts>, { impressions, maxImpressions, guaranteedImpressions }: BoughtAd): string {
  const bought = maxImpressions ?? guaranteedImpressions;
  return bought === null
    ? formatCount(impressions)
    : t('shownOf', { shown: formatCount(impressions), bought: formatCount(bought) });
}

const NOTHING = '–';

/** The ad's package and state, and how often the ad was shown and clicked. */
export function AdStatus({ ad }: { ad: BoughtAd }) {
  const t = useTexts(texts);
  const { nameOf, timeOf: packageTimeOf } = usePackages();
  const bought = adPackage(ad.packageId);
  const left = ad.maxImpressions === null ? null : Math.max(0, ad.maxImpressions - ad.impressions);
  return (
    <Card aria-label={t('figures')} className="gap-4">
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-strong">{bought ? nameOf(bought) : ad.packageId}</span>
        <StateBadge state={ad.state} />
        {ad.state === 'running' && ad.isWaiting && <Badge tone="warning">{t('changeWaits')}</Badge>}
      </p>
      {ad.rejection && (
        <p className="rounded-md bg-danger-soft p-3">
          <span className="font-strong text-danger-ink">{t('wasNotApproved')}</span>
          <bdi>{ad.rejection}</bdi>
        </p>
      )}
      <dl className="tabular grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name={t('impressions')}>{shownOf(t, ad)}</Figure>
        <Figure name={t('clicks')}>{formatCount(ad.clicks)}</Figure>
        <Figure name={t('clickRate')}>
          {ad.impressions === 0 ? NOTHING : formatPercent(ad.clicks / ad.impressions)}
        </Figure>
        {left === null ? (
          <Figure name={t('runsFor')}>{bought ? packageTimeOf(bought) : t('days', { days: String(ad.days) })}</Figure>
        ) : (
          <Figure name={t('left')}>{formatCount(left)}</Figure>
        )}
      </dl>
      <Meta>{timeOf(t, ad)}</Meta>
    </Card>
  );
}

const WHY_ENDED = {
  refused: 'refused',
  refunded: 'refunded',
  disputed: 'disputed',
  'dispute-lost': 'disputeLost',
} as const satisfies Partial<Record<AdEndReason, string>>;
const hasWords = (reason: AdEndReason | null): reason is keyof typeof WHY_ENDED =>
  reason !== null && reason in WHY_ENDED;

function timeOf(t: TextsOf<typeof texts>, ad: BoughtAd): string {
  const { startsAt, endsAt, endedAt, endReason, isExtended, days } = ad;
  if (endedAt) {
    const text = t('endedAt', { at: formatMoment(endedAt) });
    return hasWords(endReason) ? `${text} ${t(WHY_ENDED[endReason])}` : text;
  }
  if (!startsAt || !endsAt) return t('beginsLater', { days: String(days) });
  const text = t('time', { start: formatMoment(startsAt), end: formatMoment(endsAt) });
  return isExtended ? text + t('extended') : text;
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Meta as="dt">{name}</Meta>
    <dd className="font-display text-title font-strong">{children}</dd>
  </div>
);
