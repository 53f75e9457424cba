import { adPackage } from '@beltway/contracts/ads';
import type { AdContent, AdEndReason, ReviewBody, ReviewedAd } from '@beltway/contracts/served-ads';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { AdCard, siteOf } from '../../lib/ad-card.tsx';
import { formatCount, formatMoment } from '../../lib/format.ts';
import { explain } from '../../lib/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.ts';
import { STATES } from './ad-status.tsx';
import { reviewAd, REVIEWS } from './api.ts';

interface ReviewListProps {
  ads: readonly ReviewedAd[];
  /** Takes the focus from what leaves the list. */
  onDone: () => void;
}

/** Ads with what was sent of them, to approve or to reject. */
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
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (body: ReviewBody) => reviewAd(ad.id, body),
    onSuccess: (_answer, { action }) => {
      toast({ title: DONE[action] });
      onDone();
    },
    onError: (error) => toast({ title: 'Not changed', description: explain(error), variant: 'destructive' }),
    // Also after a failure: its buyer or another admin may have been here.
    onSettled: () => queries.invalidateQueries({ queryKey: [REVIEWS] }),
  });
  const state = STATES[ad.state];
  const bought = adPackage(ad.packageId);
  return (
    <article
      aria-label={`Ad of ${ad.businessName}`}
      className="grid gap-4 rounded-lg border border-line bg-surface p-4 md:p-5"
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="font-strong [overflow-wrap:anywhere]">{ad.businessName}</bdi>
        <Badge tone={state.tone}>{state.label}</Badge>
        <span className="text-note text-ink-soft">
          {bought?.name ?? ad.packageId}, {ad.slot}
          {ad.eventTitle && (
            <>
              , for <bdi>{ad.eventTitle}</bdi>
            </>
          )}
        </span>
        <time dateTime={ad.submittedAt ?? ad.boughtAt} className="tabular ml-auto text-note text-ink-soft">
          {formatMoment(ad.submittedAt ?? ad.boughtAt)}
        </time>
      </p>
      <p className="tabular text-note text-ink-soft">
        {formatCount(ad.impressions)} impressions, {formatCount(ad.clicks)} clicks
        {timeOf(ad)}
      </p>
      <div className="grid gap-5 md:grid-cols-2">
        {ad.shown && (
          <Content title="On the page" content={ad.shown}>
            {ad.state === 'running' && ad.shownSubmission !== null && (
              <Reject
                label="Take off the page"
                submission={ad.shownSubmission}
                isPending={act.isPending}
                onReject={act.mutate}
              />
            )}
          </Content>
        )}
        {ad.isWaiting && ad.sent && (
          <Content title="Waits for approval" content={ad.sent}>
            <Button
              variant="secondary"
              pending={act.isPending}
              onClick={() => act.mutate({ action: 'approve', submission: ad.submission })}
            >
              Approve
            </Button>
            <Reject label="Reject" submission={ad.submission} isPending={act.isPending} onReject={act.mutate} />
          </Content>
        )}
      </div>
      {ad.startsAt === null && ad.state !== 'ended' && (
        <Reject
          label="Refuse and refund"
          action="refuse"
          submission={ad.submission}
          isPending={act.isPending}
          onReject={act.mutate}
        />
      )}
    </article>
  );
}

const DONE: Record<ReviewBody['action'], string> = {
  approve: 'Ad approved',
  reject: 'Ad rejected',
  refuse: 'Ad refused: its payment goes back',
};

const WHY_ENDED: Record<AdEndReason, string> = {
  'all-shown': 'shown as often as bought',
  'time-over': 'its time was over',
  refused: 'refused, its payment goes back',
  refunded: 'its payment was refunded',
  'dispute-lost': 'its payment was lost in a dispute',
};

function timeOf({ endsAt, endedAt, endReason }: ReviewedAd): string {
  if (endedAt) return `, ended ${formatMoment(endedAt)}${endReason ? `: ${WHY_ENDED[endReason]}` : ''}`;
  return endsAt ? `, ends ${formatMoment(endsAt)}` : '';
}

/** The ad as it would be seen, and its whole link. Nothing of it is loaded from elsewhere. */
const Content = ({ title, content, children }: { title: string; content: AdContent; children: ReactNode }) => (
  <section aria-label={title} className="grid min-w-0 content-start gap-3">
    <h2 className="text-note font-strong">{title}</h2>
    <div className="rounded-lg border border-line bg-sunken">
      <AdCard ad={{ ...content, site: siteOf(content.linkUrl) }} shape="wide" />
    </div>
    <p className="text-note [overflow-wrap:anywhere]">
      Leads to{' '}
      <a
        href={content.linkUrl}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="font-strong underline underline-offset-4"
      >
        {content.linkUrl}
      </a>
    </p>
    <p className="text-note text-ink-soft">
      In words: <bdi>{content.alt}</bdi>
    </p>
    <div className="flex flex-wrap items-start gap-2">{children}</div>
  </section>
);

interface RejectProps {
  label: string;
  /** `refuse`: for good, and the money goes back. */
  action?: 'reject' | 'refuse';
  submission: number;
  isPending: boolean;
  onReject: (body: ReviewBody) => void;
}

/** Asks for the reason first: the buyer reads it. */
function Reject({ label, action = 'reject', submission, isPending, onReject }: RejectProps) {
  const [reason, setReason] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  if (reason === null)
    return (
      <Button variant="quiet" disabled={isPending} onClick={() => setReason('')}>
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
        label="Reason"
        as={Textarea}
        rows={3}
        maxLength={1_000}
        autoFocus
        hint="Its buyer reads this in a mail."
        error={isMissing ? 'Please say why, so that the buyer can mend it' : undefined}
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
          Cancel
        </Button>
      </div>
    </form>
  );
}
