import type { Event } from '@beltway/contracts/catalog/events';
import type { EventSales as EventSalesOf } from '@beltway/contracts/ticketing/tickets';
import { useQuery } from '@tanstack/react-query';
import CodeXml from 'lucide-react/icons/code-xml';
import Share2 from 'lucide-react/icons/share-2';
import { Suspense, useState, type ReactNode } from 'react';
import { isPast, nextOf } from '../../features/dashboard/api.ts';
import { EventSales } from '../../features/dashboard/event-sales.tsx';
import { SumsOfEvents } from '../../features/dashboard/figures.tsx';
import { NextShow } from '../../features/dashboard/next-show.tsx';
import { OwnEvents } from '../../features/dashboard/own-events.tsx';
import { SalesLine } from '../../features/dashboard/sales-line.tsx';
import { texts } from '../../features/dashboard/texts.en.ts';
import { ShareMenu } from '../../features/events/share-menu.tsx';
import { PayoutsTab } from '../../features/payouts/payouts-tab.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { soonestFirst, startsAt } from '../../lib/events/event-facts.ts';
import { salesQuery } from '../../lib/events/sales-query.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const EmbedDialog = lazily(async () => (await import('../../features/embed/embed-dialog.tsx')).EmbedDialog);

/** Number of events shown at first, and added by each press. */
const PAGE = 24;

/** The organizer's events: the next show in a large card, the sales, then all events in tabs with a search. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('yourEvents'));
  return (
    <div className="page grid grid-cols-1 gap-6 py-8 lg:py-12">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-heading">{t('yourEvents')}</h1>
        <EmbedButton />
      </div>
      <OwnEvents
        skeletons={['h-24', 'h-40', 'h-40']}
        empty={
          <EmptyState title={t('noEvents')} action={<ButtonLink to="/">{t('home')}</ButtonLink>}>
            {t('launchFirst')}
          </EmptyState>
        }
      >
        {(events) => (
          <>
            <Events events={events} />
            <section aria-labelledby="payouts-title" className="grid gap-4">
              <h2 id="payouts-title" className="text-heading">
                {t('payouts')}
              </h2>
              <PayoutsTab heading="h3" />
            </section>
          </>
        )}
      </OwnEvents>
    </div>
  );
}

/** Opens the HTML snippet that embeds the events in the organizer's own site. */
function EmbedButton() {
  const t = useTexts(texts);
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  if (!user) return null;
  return (
    <>
      <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <CodeXml aria-hidden className="size-4" />
        {t('onYourSite')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <EmbedDialog organizerId={user.id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const VIEWS = ['upcoming', 'past'] as const;
type View = (typeof VIEWS)[number];

function Events({ events }: { events: Event[] }) {
  const t = useTexts(texts);
  const now = useEventClock(events);
  const [view, setView] = useState<View>('upcoming');
  const [search, setSearch] = useState('');
  const sales = useQuery(salesQuery());
  const salesOf = (event: Event) => sales.data?.find(({ eventId }) => eventId === event.id);
  const next = nextOf(events, now);
  useStock(next ? [next.id] : []);
  const sorted = soonestFirst(events, now);
  const lists = {
    upcoming: sorted.filter((event) => !isPast(event, now)),
    past: sorted.filter((event) => isPast(event, now)).sort((one, other) => startsAt(other) - startsAt(one)),
  };
  const words = search.trim().toLocaleLowerCase();
  const isFound = ({ title, location }: Event) => `${title} ${location}`.toLocaleLowerCase().includes(words);
  // The list excludes the next show, because the show has a card above. Search results include it.
  const listed = lists[view].filter((event) => (words ? isFound(event) : event.id !== next?.id));
  return (
    <>
      {next && (
        <NextShow
          event={next}
          sales={salesOf(next)}
          share={
            <ShareMenu
              event={next}
              trigger={
                <Button variant="secondary">
                  <Share2 aria-hidden className="size-4" />
                  {t('share')}
                </Button>
              }
            />
          }
        />
      )}
      <SumsOfEvents events={events} sales={sales} />
      <SalesLine />
      <Field label={t('searchYours')} className="max-w-md">
        <Input type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      </Field>
      <Tabs
        label={t('yourEvents')}
        value={view}
        onValueChange={(chosen) => setView(chosen as View)}
        tabs={VIEWS.map((value) => ({
          value,
          label: t(value, { count: formatCount(lists[value].length) }),
          content: (
            <Rows
              key={words}
              events={listed}
              salesOf={salesOf}
              empty={
                words ? (
                  <EmptyState title={t('noneFound')}>{t('noneFoundWhy')}</EmptyState>
                ) : value === 'past' ? (
                  <EmptyState title={t('nonePast')}>{t('nonePastWhy')}</EmptyState>
                ) : (
                  !next && <EmptyState title={t('noneUpcoming')}>{t('noneUpcomingWhy')}</EmptyState>
                )
              }
            />
          ),
        }))}
      />
    </>
  );
}

interface RowsProps {
  events: readonly Event[];
  salesOf: (event: Event) => EventSalesOf | undefined;
  empty: ReactNode;
}

/** Events as rows, with a button to show more. */
function Rows({ events, salesOf, empty }: RowsProps) {
  const t = useTexts(texts);
  const [shown, setShown] = useState(PAGE);
  const page = events.slice(0, shown);
  useStock(page.map(({ id }) => id));
  if (events.length === 0) return empty;
  return (
    <div className="grid gap-4">
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 xl:grid-cols-2">
        {page.map((event) => (
          <li key={event.id} className="grid">
            <EventSales event={event} sales={salesOf(event)} heading="h2" />
          </li>
        ))}
      </ul>
      {events.length > shown && (
        <Button variant="secondary" className="justify-self-center" onClick={() => setShown(shown + PAGE)}>
          {t('showMore')}
        </Button>
      )}
    </div>
  );
}
