import { adPackage } from '@beltway/contracts/ads';
import type { AdEndReason, BoughtAd } from '@beltway/contracts/served-ads';
import type { ReactNode } from 'react';
import { formatCount, formatMoment } from '../../lib/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

export const STATES: Record<BoughtAd['state'], { label: string; tone: BadgeTone }> = {
  bought: { label: 'Waits for your picture', tone: 'warning' },
  waiting: { label: 'Waits for approval', tone: 'neutral' },
  rejected: { label: 'Not approved', tone: 'danger' },
  running: { label: 'Running', tone: 'success' },
  ended: { label: 'Ended', tone: 'neutral' },
};

/** "12 of 5,000": what was counted, of what was bought. */
function shownOf({ impressions, maxImpressions, guaranteedImpressions }: BoughtAd): string {
  const bought = maxImpressions ?? guaranteedImpressions;
  return bought === null ? formatCount(impressions) : `${formatCount(impressions)} of ${formatCount(bought)}`;
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** What was bought, what became of it, and how often it was seen and opened. */
export function AdStatus({ ad }: { ad: BoughtAd }) {
  const bought = adPackage(ad.packageId);
  const { label, tone } = STATES[ad.state];
  const left = ad.maxImpressions === null ? null : Math.max(0, ad.maxImpressions - ad.impressions);
  return (
    <section aria-label="State and figures" className="grid gap-4 rounded-lg border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-strong">{bought?.name ?? ad.packageId}</span>
        <Badge tone={tone}>{label}</Badge>
        {ad.state === 'running' && ad.isWaiting && <Badge tone="warning">Your change waits for approval</Badge>}
      </p>
      {ad.rejection && (
        <p className="rounded-md bg-danger-soft p-3">
          <span className="font-strong text-danger-ink">What was sent was not approved: </span>
          <bdi>{ad.rejection}</bdi>
        </p>
      )}
      <dl className="tabular grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="Impressions">{shownOf(ad)}</Figure>
        <Figure name="Clicks">{formatCount(ad.clicks)}</Figure>
        <Figure name="Clicks per impression">
          {ad.impressions === 0 ? '–' : percent.format(ad.clicks / ad.impressions)}
        </Figure>
        {left === null ? (
          <Figure name="Runs for">{bought?.duration ?? `${ad.days} days`}</Figure>
        ) : (
          <Figure name="Left">{formatCount(left)}</Figure>
        )}
      </dl>
      <p className="text-note text-ink-soft">{timeOf(ad)}</p>
    </section>
  );
}

const WHY_ENDED: Partial<Record<AdEndReason, string>> = {
  refused: 'It was not approved, and its payment goes back.',
  refunded: 'Its payment was refunded.',
  'dispute-lost': 'Its payment was taken back by a bank.',
};

function timeOf({ startsAt, endsAt, endedAt, endReason, isExtended, days }: BoughtAd): string {
  if (endedAt) return [`Ended ${formatMoment(endedAt)}.`, endReason && WHY_ENDED[endReason]].filter(Boolean).join(' ');
  if (!startsAt || !endsAt) return `Its ${days} days begin when it is approved.`;
  const text = `Began ${formatMoment(startsAt)}, ends ${formatMoment(endsAt)}.`;
  return isExtended ? `${text} Extended, since it was not shown as often as guaranteed.` : text;
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-note text-ink-soft">{name}</dt>
    <dd className="font-display text-title font-strong">{children}</dd>
  </div>
);
