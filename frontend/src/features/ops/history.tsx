import { OpsSearchBody, type FoundOrder, type OpsFound, type Timeline } from '@beltway/contracts/ops/timelines';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatCents, formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { ManagedOrderOf } from '../../lib/managed-order/managed-order.tsx';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { searchQuery, timelineQuery } from './api.ts';
import { formatSecond } from './spans.ts';
import { texts } from './texts.en.ts';

const SearchForm = OpsSearchBody.pick({ q: true });
type Found = OpsFound['items'][number];

/** Searches for an order, payment or ticket, and shows its history from the events of all services. */
export function History() {
  const t = useTexts(texts);
  const [asked, setAsked] = useState<{ q: string; attempt: number }>();
  const form = useFields({
    schema: SearchForm,
    initial: { q: '' },
    onSubmit: ({ q }) => setAsked({ q, attempt: (asked?.attempt ?? 0) + 1 }),
    error: null,
  });
  return (
    <div className="grid grid-cols-1 gap-5">
      <div>
        <h2 className="text-title">{t('history')}</h2>
        <p className="mt-1 max-w-prose text-ink-soft">{t('by')}</p>
      </div>
      <form {...form.props} aria-label={t('search')} className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <TextField {...form.bind('q')} label={t('lookFor')} autoComplete="off" spellCheck={false} />
        </div>
        <Button type="submit" className="mt-6.5 max-sm:mt-0 max-sm:w-full">
          {t('search')}
        </Button>
      </form>
      {asked && <Results key={asked.attempt} {...asked} />}
    </div>
  );
}

function Results({ q, attempt }: { q: string; attempt: number }) {
  const t = useTexts(texts);
  const found = useInfiniteQuery(searchQuery(q, attempt));
  const missing = [...new Set(found.data?.pages.flatMap((page) => page.missing))];
  return (
    <>
      {missing.length > 0 && <Missing of={missing} />}
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('resultsWhat')}
        skeleton={{ className: 'h-20', of: 'rows' }}
        empty={<EmptyState title={t('nothingFound')}>{missing.length > 0 ? t('noneKnows') : t('noSuch')}</EmptyState>}
      >
        {(items) => (
          <ul className="grid grid-cols-1 gap-4">
            {items.map((item) => (
              <li key={item.id}>
                <Result item={item} isOnly={items.length === 1} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

/** Joins names: "catalog and payments". */
function useNames(): (names: readonly string[]) => string {
  const t = useTexts(texts);
  return (names) => names.reduce((some, last) => t('and', { some, last }));
}

/** Lists the services that did not answer. */
export function Missing({ of }: { of: readonly string[] }) {
  const t = useTexts(texts);
  const namesOf = useNames();
  return <Notice>{t('missing', { count: of.length, names: namesOf(of) })}</Notice>;
}

const bdi = (words: ReactNode) => <bdi>{words}</bdi>;

const nameOf = (order: FoundOrder): string => order.orderNumber ?? order.orderId.slice(0, 8);

function Result({ item: { id, order, payment }, isOnly }: { item: Found; isOnly: boolean }) {
  const [isShown, setShown] = useState(false);
  const t = useTexts(texts);
  const title = order ? t('orderOf', { name: nameOf(order) }) : t('paymentOf', { name: payment?.paymentId ?? id });
  return (
    <Card as="article" aria-label={title} className="gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-title wrap-anywhere">{title}</h3>
        <Badge>{order?.status ?? payment?.status}</Badge>
        <span className="tabular ml-auto font-strong">
          {formatCents(order?.amountCents ?? payment?.amountCents ?? 0)}
        </span>
      </div>
      <Meta className="wrap-anywhere">
        {order && (
          <>
            {t.rich('orderLine', {
              ...{ count: order.quantity, title: order.eventTitle ?? t('eventOf', { id: String(order.eventId) }) },
              ...{ when: formatMoment(order.heldAt), bdi },
            })}{' '}
          </>
        )}
        {payment && (
          <>{t('paymentLine', { purpose: payment.purpose, status: payment.status, id: payment.paymentId })} </>
        )}
        {id}
      </Meta>
      <Button
        variant={isOnly ? 'primary' : 'secondary'}
        className="justify-self-start"
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? t('hideHistory') : t('showHistory')}
      </Button>
      {isShown && <TimelineOf id={id} />}
    </Card>
  );
}

function TimelineOf({ id }: { id: string }) {
  const t = useTexts(texts);
  const found = useQuery(timelineQuery(id));
  if (found.data) return <Steps timeline={found.data} />;
  return found.isError ? (
    <ErrorState
      title={t('historyNotLoaded')}
      message={explain(found.error)}
      onRetry={() => void found.refetch()}
      retrying={found.isFetching}
    />
  ) : (
    <Loading label={t('historyLoading')} className="grid gap-2">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </Loading>
  );
}

const TONES: Record<Timeline['steps'][number]['service'], BadgeTone> = {
  catalog: 'neutral',
  ticketing: 'accent',
  payments: 'success',
  identity: 'neutral',
};

function Steps({ timeline: { id, order, steps, missing, cut } }: { timeline: Timeline }) {
  const t = useTexts(texts);
  const namesOf = useNames();
  const [isBuyerShown, setBuyerShown] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-4 border-t border-line pt-4">
      {missing.length > 0 && <Missing of={missing} />}
      {cut.length > 0 && <Meta>{t('moreOf', { names: namesOf(cut) })}</Meta>}
      <ol aria-label={t('history')} className="grid grid-cols-1 gap-3">
        {steps.map(({ at, service, type, text }, index) => (
          <li key={index} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[11.5rem_1fr]">
            <Meta as="time" dateTime={at} title={at} className="tabular sm:pt-0.5">
              {formatSecond(at)}
            </Meta>
            <div className="min-w-0">
              <p className="wrap-anywhere">{text}</p>
              <Meta className="mt-0.5 flex flex-wrap items-center gap-2">
                <Badge tone={TONES[service]}>{service}</Badge>
                <span className="wrap-anywhere">{type}</span>
              </Meta>
            </div>
          </li>
        ))}
      </ol>
      {order && (
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="secondary" aria-expanded={isBuyerShown} onClick={() => setBuyerShown(!isBuyerShown)}>
            {isBuyerShown ? t('hideBuyer') : t('showBuyer')}
          </Button>
          {!isBuyerShown && <Meta as="span">{t('lookRecorded')}</Meta>}
        </div>
      )}
      {isBuyerShown && (
        <ManagedOrderOf orderId={id}>
          {({ order: { ticketHolderName, ticketHolderEmail } }) => (
            <p className="wrap-anywhere">
              {t.rich('nameAndAddress', {
                ...{ name: ticketHolderName ?? t('noName'), address: ticketHolderEmail ?? t('noAddress') },
                bdi,
              })}
            </p>
          )}
        </ManagedOrderOf>
      )}
    </div>
  );
}
