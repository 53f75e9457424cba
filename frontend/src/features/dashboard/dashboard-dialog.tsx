import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { salesQuery } from '../../lib/events/sales-query.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { useStock } from '../../lib/realtime/realtime.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { byCreation } from './api.ts';
import { EventSales } from './event-sales.tsx';
import { SumsOfEvents } from './figures.tsx';
import { OwnEvents } from './own-events.tsx';
import { texts } from './texts.en.ts';

/** The dialog shows the three most recent events (services/ticketing/PRODUCT.md#sales-figures). */
const SHOWN = 3;

/** The account's events and their sales, updated live. All figures are measured. */
export function DashboardDialog({ onClose, onLaunch }: { onClose: () => void; onLaunch: () => void }) {
  const t = useTexts(texts);
  const { user } = useSession();
  if (!user) return null;
  return (
    <Dialog onClose={onClose} title={t('business')} description={t('howDoing', { name: user.name })} size="wide">
      <OwnEvents
        skeletons={['h-20', 'h-24', 'h-24']}
        empty={
          <EmptyState title={t('noEvents')} action={<Button onClick={onLaunch}>{t('launch')}</Button>}>
            {t('noEventsWhy')}
          </EmptyState>
        }
      >
        {(events) => <Overview events={events} onLeave={onClose} />}
      </OwnEvents>
    </Dialog>
  );
}

function Overview({ events, onLeave }: { events: Event[]; onLeave: () => void }) {
  const t = useTexts(texts);
  useStock(events.map(({ id }) => id));
  const sales = useQuery(salesQuery());
  return (
    <div className="grid gap-6 pt-1">
      <SumsOfEvents events={events} sales={sales} />
      <section aria-labelledby="recent-events">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h3 id="recent-events" className="text-title">
            {t('mostRecent')}
          </h3>
          <ButtonLink to="/dashboard" variant="quiet" onClick={onLeave}>
            {t('allYours', { count: formatCount(events.length) })}
          </ButtonLink>
        </div>
        <ul className="grid gap-3">
          {[...events]
            .sort(byCreation)
            .slice(0, SHOWN)
            .map((event) => (
              <li key={event.id}>
                <EventSales
                  event={event}
                  sales={sales.data?.find(({ eventId }) => eventId === event.id)}
                  heading="h4"
                  onLeave={onLeave}
                />
              </li>
            ))}
        </ul>
      </section>
    </div>
  );
}
