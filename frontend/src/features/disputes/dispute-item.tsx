import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCents, formatMoment } from '../../lib/i18n/format.ts';
import { ManagedOrderOf } from '../../lib/managed-order/managed-order.tsx';
import { names, useNames } from '../../lib/i18n/names.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import type { Dispute } from './api.ts';
import { Evidence } from './evidence.tsx';
import { texts } from './texts.en.ts';

const reasons = names(() => import('./reasons.names.es.ts'));

/** One dispute, and the evidence to send to the bank. */
export function DisputeItem({ dispute }: { dispute: Dispute }) {
  const t = useTexts(texts);
  const reasonOf = useNames(reasons);
  const [isShown, setShown] = useState(false);
  const { kind, amountCents, detail, subject, paymentId, orderId, raisedAt, resolvedAt } = dispute;
  return (
    <Card as="article" aria-label={t('disputeOf', { subject })} className="gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-title font-strong tabular">{formatCents(amountCents)}</span>
        <Badge tone={resolvedAt ? 'neutral' : 'warning'}>
          {resolvedAt ? t('closed', { state: t(kind) }) : t(kind)}
        </Badge>
        {detail && <span className="text-ink-soft">{reasonOf(detail, detail.replaceAll('_', ' '))}</span>}
        <Meta as="time" dateTime={raisedAt} className="tabular ml-auto">
          {formatMoment(raisedAt)}
        </Meta>
      </p>
      <Meta className="wrap-anywhere">{t('subjectAnd', { subject, payment: String(paymentId) })}</Meta>
      {orderId === null ? (
        <p className="text-note">{t('noTickets')}</p>
      ) : (
        <>
          <Button
            variant="secondary"
            className="justify-self-start"
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t('hideEvidence') : t('showEvidence')}
          </Button>
          {isShown && <ManagedOrderOf orderId={orderId}>{(managed) => <Evidence managed={managed} />}</ManagedOrderOf>}
        </>
      )}
    </Card>
  );
}
