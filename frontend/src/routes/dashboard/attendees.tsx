import type { Attendee } from '@beltway/contracts/ticketing/tickets';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import Download from 'lucide-react/icons/download';
import { useDeferredValue, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { attendeesQuery, saveAttendees } from '../../features/dashboard/api.ts';
import { AttendeeTable } from '../../features/dashboard/attendee-table.tsx';
import { HelpBuyer } from '../../features/dashboard/help-buyer.tsx';
import { RefundOrder } from '../../features/dashboard/refund-order.tsx';
import { Figures } from '../../features/dashboard/figures.tsx';
import { texts } from '../../features/dashboard/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { salesQuery } from '../../lib/events/sales-query.ts';
import { HttpError } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { PageMessage } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAction } from '../../lib/actions/use-action.ts';

/** The attendees of the organizer's event. */
export function Component() {
  const t = useTexts(texts);
  const eventId = Number(useParams()['id']);
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useSearchParams();
  // A mail about a buyer's message links here with `message`, so that the organizer can answer it.
  const [helping, setHelping] = useState<string | null>(() => query.get('message'));
  const stopHelping = () => {
    setHelping(null);
    if (query.has('message')) setQuery({}, { replace: true });
  };
  const [refunding, setRefunding] = useState<Attendee | null>(null);
  const search = useDeferredValue(typed.trim());
  const event = useQuery({ ...eventQuery(eventId), enabled: Number.isInteger(eventId) && eventId > 0 });
  const sales = useQuery(salesQuery());
  const found = useInfiniteQuery(attendeesQuery(eventId, search));
  const save = useAction({
    mutationFn: () => saveAttendees(eventId),
    failed: t('notSaved'),
  });
  usePageTitle(t('attendees'));

  const status = found.error instanceof HttpError ? found.error.status : null;
  if (status === 403 || status === 404 || (status === 400 && !search))
    return (
      <PageMessage>
        <EmptyState
          heading="h1"
          title={status === 403 ? t('notYours') : t('notFound')}
          action={<ButtonLink to="/dashboard">{t('yourEvents')}</ButtonLink>}
        >
          {status === 403 ? t('notYoursWhy') : t('notFoundWhy')}
        </EmptyState>
      </PageMessage>
    );
  const none = { tickets: 0, revenue: 0, share: 0 };
  const own = sales.data
    ? (sales.data.find((one) => one.eventId === eventId) ?? none)
    : sales.isError
      ? null
      : undefined;
  const attendees = found.data?.pages.flatMap((page) => page.attendees);
  return (
    <div className="page grid grid-cols-1 gap-6 py-6 lg:py-10">
      <header className="grid gap-1">
        <Link
          to="/dashboard"
          className="inline-flex min-h-11 items-center gap-1 justify-self-start text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {t('yourEvents')}
        </Link>
        <h1 className="text-heading">
          {event.data ? t('attendeesOfEvent', { title: event.data.title }) : t('attendees')}
        </h1>
        {event.data && <When event={event.data} className="text-ink-soft" />}
      </header>
      <Figures tickets={own && own.tickets} money={own} />
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label={t('nameOrNumber')} className="min-w-0 flex-1 basis-60 sm:max-w-sm">
          <Input type="search" maxLength={100} value={typed} onChange={({ target }) => setTyped(target.value)} />
        </Field>
        <Button variant="secondary" pending={save.isPending} onClick={() => save.mutate()}>
          {!save.isPending && <Download aria-hidden className="size-4" />}
          {t('csv')}
        </Button>
      </div>
      <PagedList
        found={found}
        items={attendees}
        what={t('attendeesWhat')}
        skeleton={{ className: 'h-14', of: 'rows' }}
        empty={
          <EmptyState title={search ? t('nobody') : t('noneSold')}>
            {search ? t('nobodyWhy') : t('noneSoldWhy')}
          </EmptyState>
        }
      >
        {(listed) => (
          <AttendeeTable attendees={listed} onRefund={setRefunding} onHelp={({ orderId }) => setHelping(orderId)} />
        )}
      </PagedList>
      {helping && <HelpBuyer orderId={helping} onClose={stopHelping} />}
      {refunding && <RefundOrder attendee={refunding} onClose={() => setRefunding(null)} />}
    </div>
  );
}
