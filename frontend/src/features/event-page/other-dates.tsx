import type { Event } from '@beltway/contracts/catalog/events';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useEventClock } from '../../lib/events/event-clock.ts';
import { eventPath, saleState } from '../../lib/events/event-facts.ts';
import { When } from '../../lib/events/event-lines.tsx';
import { otherDatesQuery } from '../../lib/events/event-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

/** Dates shown before "all" is pressed. */
const SHOWN = 5;

/** Other upcoming dates of the event's series; renders nothing for a single event. */
export function OtherDates({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { data = [] } = useQuery({ ...otherDatesQuery(event.id), enabled: event.seriesId != null });
  const [isWhole, setWhole] = useState(false);
  const now = useEventClock(data);
  if (data.length === 0) return null;
  const shown = isWhole ? data : data.slice(0, SHOWN);
  return (
    <section aria-labelledby="dates-title" className="rounded-lg border border-line bg-surface p-4">
      <h2 id="dates-title" className="text-title">
        {t('otherDates')}
      </h2>
      <ul className="mt-1">
        {shown.map((date) => (
          <li key={date.id} className="border-b border-line last:border-0">
            <Link to={eventPath(date)} className="flex min-h-11 items-center justify-between gap-3 hover:underline">
              <When event={date} />
              {saleState(date, now) === 'sold-out' && <Meta as="span">{t('soldOut')}</Meta>}
            </Link>
          </li>
        ))}
      </ul>
      {data.length > shown.length && (
        <Button variant="quiet" className="-ms-3 px-3 text-note" onClick={() => setWhole(true)}>
          {t('showAll', { count: String(data.length) })}
        </Button>
      )}
    </section>
  );
}
