import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import CodeXml from 'lucide-react/icons/code-xml';
import { Suspense, useState } from 'react';
import { byCreation, salesQuery } from '../../features/dashboard/api.ts';
import { EventSales } from '../../features/dashboard/event-sales.tsx';
import { SumsOfEvents } from '../../features/dashboard/figures.tsx';
import { OwnEvents } from '../../features/dashboard/own-events.tsx';
import { texts } from '../../features/dashboard/texts.en.ts';
import { PayoutsTab } from '../../features/payouts/payouts-tab.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';

const EmbedDialog = lazily(async () => (await import('../../features/embed/embed-dialog.tsx')).EmbedDialog);

/** Events on the page at first, and more with each press. */
const PAGE = 24;

/** All own events, and what they have sold. */
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

/** Opens the snippet for an organizer's own site. */
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

function Events({ events }: { events: Event[] }) {
  const t = useTexts(texts);
  const [shown, setShown] = useState(PAGE);
  const page = [...events].sort(byCreation).slice(0, shown);
  useStock(page.map(({ id }) => id));
  const sales = useQuery(salesQuery());
  return (
    <>
      <SumsOfEvents events={events} sales={sales} />
      <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {page.map((event) => (
          <li key={event.id} className="grid">
            <EventSales event={event} sales={sales.data?.find(({ eventId }) => eventId === event.id)} heading="h2" />
          </li>
        ))}
      </ul>
      {events.length > shown && (
        <Button variant="secondary" className="justify-self-center" onClick={() => setShown(shown + PAGE)}>
          {t('showMore')}
        </Button>
      )}
    </>
  );
}
