import { adPackage } from '@beltway/contracts/payments/ads';
import type { AdContent, AdEndReason, ReviewBody, ReviewedAd } from '@beltway/contracts/catalog/served-ads';
import { useState, type ReactNode } from 'react';
import { AdCard, siteOf } from '../../lib/ads/ad-card.tsx';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { usePackages } from '../../lib/ads/package-names.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { StateBadge } from './ad-status.tsx';
import { reviewAd, REVIEWS } from './api.ts';
import { texts } from './review.texts.en.ts';

interface ReviewListProps {
  ads: readonly ReviewedAd[];
  /** Called when an ad leaves the list. The caller must move the focus, which was on that ad. */
  onDone: () => void;
}

/** A list of ads with their submissions, which an admin approves or rejects. */
export const ReviewList = ({ ads, onDone }: ReviewListProps) => (
  <ul className="grid gap-4">
    {ads.map((ad) => (
      <li key={ad.id}>
        <Review ad={ad} onDone={onDone} />
      </li>
    ))}
  </ul>
);

function Review({ ad, onDone }: { ad: ReviewedAd; onDone: () => void }) {
  const t = useTexts(texts);
  const act = useAction({
    mutationFn: (body: ReviewBody) => reviewAd(ad.id, body),
    done: (_answer, { action }) => ({ title: t(DONE[action]) }),
    onSuccess: onDone,
    failed: t('notChanged'),
    // Refreshes even after a failure, because the buyer or another admin may have changed the ad.
    refresh: [[REVIEWS]],
  });
  const { nameOf } = usePackages();
  const bought = adPackage(ad.packageId);
  const place = { name: bought ? nameOf(bought) : ad.packageId, slot: ad.slot };
  return (
    <Card as="article" aria-label={t('adOf', { name: ad.businessName })} className="gap-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="font-strong wrap-anywhere">{ad.businessName}</bdi>
        <StateBadge state={ad.state} />
        <Meta as="span">
          {ad.eventTitle
            ? t.rich('packageFor', { ...place, event: () => <bdi>{ad.eventTitle}</bdi> })
            : t('packageIn', place)}
        </Meta>
        <Meta as="time" dateTime={ad.submittedAt ?? ad.boughtAt} className="tabular ml-auto">
          {formatMoment(ad.submittedAt ?? ad.boughtAt)}
        </Meta>
      </p>
      <Meta className="tabular">
        {t('figures', { impressions: formatCount(ad.impressions), clicks: formatCount(ad.clicks) })}
        {timeOf(t, ad)}
      </Meta>
      <div className="grid gap-5 md:grid-cols-2">
        {ad.shown && (
          <Content title={t('onThePage')} content={ad.shown}>
            {ad.state === 'running' && ad.shownSubmission !== null && (
              <Reject
                label={t('takeOff')}
                submission={ad.shownSubmission}
                isPending={act.isPending}
                onReject={act.mutate}
              />
            )}
          </Content>
        )}
        {ad.isWaiting && ad.sent && (
          <Content title={t('waits')} content={ad.sent}>
            <Button
              variant="secondary"
              pending={act.isPending}
              onClick={() => act.mutate({ action: 'approve', submission: ad.submission })}
            >
              {t('approve')}
            </Button>
            <Reject label={t('reject')} submission={ad.submission} isPending={act.isPending} onReject={act.mutate} />
          </Content>
        )}
      </div>
      {ad.startsAt === null && ad.state !== 'ended' && (
        <Reject
          label={t('refuse')}
          action="refuse"
          submission={ad.submission}
          isPending={act.isPending}
          onReject={act.mutate}
        />
      )}
    </Card>
  );
}

const DONE = {
  approve: 'approved',
  reject: 'isRejected',
  refuse: 'isRefused',
} as const satisfies Record<ReviewBody['action'], string>;

const WHY_ENDED = {
  'all-shown': 'allShown',
  'time-over': 'timeOver',
  refused: 'refused',
  refunded: 'refunded',
  disputed: 'disputed',
  'dispute-lost': 'disputeLost',
} as const satisfies Record<AdEndReason, string>;

function timeOf(t: TextsOf<typeof texts>, { endsAt, endedAt, endReason }: ReviewedAd): string {
  if (!endedAt) return endsAt ? t('ends', { at: formatMoment(endsAt) }) : '';
  const at = formatMoment(endedAt);
  return endReason ? t('endedWhy', { at, why: t(WHY_ENDED[endReason]) }) : t('ended', { at });
}

/** The ad as visitors would see it, and the full URL of its link. Loads nothing from other sites. */
function Content({ title, content, children }: { title: string; content: AdContent; children: ReactNode }) {
  const t = useTexts(texts);
  return (
    <section aria-label={title} className="grid min-w-0 content-start gap-3">
      <h2 className="text-note font-strong">{title}</h2>
      <div className="rounded-lg border border-line bg-sunken">
        <AdCard ad={{ ...content, site: siteOf(content.linkUrl) }} shape="wide" />
      </div>
      <p className="text-note wrap-anywhere">
        {t.rich('leadsTo', {
          link: () => (
            <a
              href={content.linkUrl}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="font-strong underline underline-offset-4"
            >
              {content.linkUrl}
            </a>
          ),
        })}
      </p>
      <Meta>{t.rich('inWords', { alt: () => <bdi>{content.alt}</bdi> })}</Meta>
      <div className="flex flex-wrap items-start gap-2">{children}</div>
    </section>
  );
}

interface RejectProps {
  label: string;
  /** `refuse` rejects the ad permanently and refunds the payment. */
  action?: 'reject' | 'refuse';
  submission: number;
  isPending: boolean;
  onReject: (body: ReviewBody) => void;
}

/** Asks the admin for the reason, which the buyer sees. */
function Reject({ label, action = 'reject', submission, isPending, onReject }: RejectProps) {
  const t = useTexts(texts);
  const [reason, setReason] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  if (reason === null)
    return (
      <Button variant="quiet" disabled={isPending} className="justify-self-start" onClick={() => setReason('')}>
        {label}
      </Button>
    );
  return (
    <form
      className="grid w-full gap-3"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        const text = reason.replace(/\s+/g, ' ').trim();
        setMissing(!text);
        if (text) onReject({ action, submission, reason: text });
      }}
    >
      <TextField
        label={t('reason')}
        as={Textarea}
        rows={3}
        maxLength={1_000}
        autoFocus
        hint={t('reasonHint')}
        error={isMissing ? t('sayWhy') : undefined}
        value={reason}
        onChange={(text) => {
          setReason(text);
          setMissing(false);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="danger" pending={isPending}>
          {label}
        </Button>
        <Button variant="quiet" onClick={() => setReason(null)}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}
