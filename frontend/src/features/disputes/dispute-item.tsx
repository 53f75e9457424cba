import type { Alert } from '@beltway/contracts/payments';
import { useState } from 'react';
import { formatCents, formatMoment } from '../../lib/format.ts';
import { ManagedOrderOf } from '../../lib/managed-order/managed-order.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Evidence } from './evidence.tsx';

const STATES = {
  'dispute-opened': 'A bank disputes',
  'dispute-lost': 'Lost',
  'dispute-won-after-loss': 'Won after it was lost',
} as const;
type DisputeKind = keyof typeof STATES;

/** An alert about a dispute. */
export type Dispute = Alert & { kind: DisputeKind };
export const isDispute = (alert: Alert): alert is Dispute => alert.kind in STATES;

/** One dispute, and what can be sent to the bank about it. */
export function DisputeItem({ dispute }: { dispute: Dispute }) {
  const [isShown, setShown] = useState(false);
  const { kind, amountCents, detail, subject, paymentId, orderId, raisedAt, resolvedAt } = dispute;
  return (
    <article
      aria-label={`Dispute ${subject}`}
      className="grid gap-3 rounded-lg border border-line bg-surface p-4 md:p-5"
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-title font-strong tabular">{formatCents(amountCents)}</span>
        <Badge tone={resolvedAt ? 'neutral' : 'warning'}>
          {STATES[kind]}
          {resolvedAt && ' · closed'}
        </Badge>
        {detail && <span className="text-ink-soft">{detail.replaceAll('_', ' ')}</span>}
        <time dateTime={raisedAt} className="tabular ml-auto text-note text-ink-soft">
          {formatMoment(raisedAt)}
        </time>
      </p>
      <p className="text-note text-ink-soft [overflow-wrap:anywhere]">
        {subject}, payment {paymentId}
      </p>
      {orderId === null ? (
        <p className="text-note">It paid for no tickets: the evidence stands in the provider’s dashboard alone.</p>
      ) : (
        <>
          <Button
            variant="secondary"
            className="justify-self-start"
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide the evidence' : 'Show the evidence'}
          </Button>
          {isShown && <ManagedOrderOf orderId={orderId}>{(managed) => <Evidence managed={managed} />}</ManagedOrderOf>}
        </>
      )}
    </article>
  );
}
