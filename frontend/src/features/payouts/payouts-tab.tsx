import type { PayoutMovement, Payouts } from '@beltway/contracts/payments/payouts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { formatCents, formatDate } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { Meta } from '../../ui/meta.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StatCards } from '../../ui/stat-cards.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { AccountState } from './account-state.tsx';
import { payoutsQuery } from './api.ts';
import { texts } from './texts.en.ts';

const DOT = ' · ';

/**
 * Payouts & Banking: the account, amounts owed, transferred and paid out, and the movements
 * (services/payments/PRODUCT.md#payouts).
 */
export function PayoutsTab({ heading = 'h2' }: { heading?: 'h2' | 'h3' }) {
  const t = useTexts(texts);
  const { data, error, isFetching, refetch } = useQuery(payoutsQuery());
  if (data) return <Shown payouts={data} heading={heading} />;
  if (error)
    return (
      <ErrorState
        title={t('notLoaded')}
        message={explain(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  return (
    <Loading label={t('loading')} className="grid gap-4">
      <Skeleton className="h-36 rounded-lg" />
      <Skeleton className="h-24 rounded-lg" />
    </Loading>
  );
}

function Shown({ payouts, heading: Heading }: { payouts: Payouts; heading: 'h2' | 'h3' }) {
  const t = useTexts(texts);
  const { scope, state, owedCents, balanceCents, keptCents, paidCents, nextPayout, schedule, history } = payouts;
  const isOwn = scope === 'own';
  const facts: Array<[name: string, figure: string]> = [
    [t('balance'), formatCents(balanceCents)],
    // A negative amount means that sales were refunded after their payout, so the organizer owes the money.
    owedCents < 0
      ? [isOwn ? t('youOwe') : t('owedByOrganizers'), formatCents(-owedCents)]
      : [isOwn ? t('owedToYou') : t('owed'), formatCents(owedCents)],
    [t('paidOut'), formatCents(paidCents)],
  ];
  if (isOwn)
    facts.push([
      t('next'),
      nextPayout
        ? t('amountOn', { amount: formatCents(nextPayout.amountCents), day: dayText(nextPayout.on) })
        : t('noneYet'),
    ]);
  return (
    <div className="grid gap-6">
      {(isOwn || state !== 'none') && <AccountState state={state} heading={Heading} />}
      <div className="grid gap-3">
        <StatCards cards={facts} />
        {isOwn && owedCents < 0 && <Notice>{t('debtWhy', { amount: formatCents(-owedCents) })}</Notice>}
        {keptCents > 0 && <Meta className="max-w-prose">{t('keptWhy', { amount: formatCents(keptCents) })}</Meta>}
        <Meta className="max-w-prose">
          {t('schedule', { arrival: t('arrival'), minimum: formatCents(schedule.minimumCents) })}
        </Meta>
      </div>
      <section aria-labelledby="payout-history" className="grid gap-3">
        <Heading id="payout-history" className="text-title">
          {t('latest')}
        </Heading>
        {history.length === 0 ? (
          <p className="text-ink-soft">{t('nothingMoved')}</p>
        ) : (
          <ul className="grid gap-2">
            {history.map((one) => (
              <Movement key={one.id} {...one} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function Movement({ kind, amountCents, eventId, status, at }: PayoutMovement) {
  const t = useTexts(texts);
  const amount = `${kind === 'reversal' ? '−' : ''}${formatCents(amountCents)}`;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 rounded-md bg-sunken px-4 py-3">
      <span>
        {t(kind)}
        {status && (
          <>
            {DOT}
            <span className="text-ink-soft">{t(status)}</span>
          </>
        )}
        {eventId !== null && (
          <>
            {DOT}
            <EventLink eventId={eventId} />
          </>
        )}
      </span>
      <span className="flex gap-4 tabular">
        <time dateTime={at} className="text-ink-soft">
          {formatDate(at)}
        </time>
        <span className="font-strong">{amount}</span>
      </span>
    </li>
  );
}

/** Shows the event's title, or the event's number until the title loads. */
function EventLink({ eventId }: { eventId: number }) {
  const t = useTexts(texts);
  const { data } = useQuery(eventQuery(eventId));
  return <Link to={`/event/${eventId}`}>{data?.title ?? t('event', { id: String(eventId) })}</Link>;
}

/** Formats a date without a time, so that it is the same in every time zone. */
const dayText = (day: string): string => formatDate(`${day}T12:00:00Z`);
