import type { Event } from '@beltway/contracts/catalog';
import { CalendarClock, CircleX } from 'lucide-react';
import { formatLongDate } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** The first thing on the page of an event that does not take place. */
export const CancelledBanner = ({ event }: { event: Event }) => (
  <section
    data-keep-clear
    aria-labelledby="cancelled-title"
    className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg bg-danger-soft px-5 py-4"
  >
    <CircleX aria-hidden className="size-7 shrink-0 text-danger-ink max-sm:hidden" />
    <div className="min-w-0 flex-1 basis-64">
      <h2 id="cancelled-title" className="text-title text-danger-ink">
        This event is cancelled
      </h2>
      <p className="mt-1">
        {event.hasTickets
          ? 'It does not take place. Every ticket is void, and buyers get the whole price back.'
          : 'It does not take place.'}
      </p>
    </div>
    <ButtonLink to="/" variant="secondary">
      See what else is on
    </ButtonLink>
  </section>
);

/** The first thing on the page of an event that has no date for now. */
export const PostponedBanner = ({ event }: { event: Event }) => (
  <section
    data-keep-clear
    aria-labelledby="postponed-title"
    className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg bg-warning-soft px-5 py-4"
  >
    <CalendarClock aria-hidden className="size-7 shrink-0 text-warning-ink max-sm:hidden" />
    <div className="min-w-0 flex-1 basis-64">
      <h2 id="postponed-title" className="text-title text-warning-ink">
        This event is postponed
      </h2>
      <p className="mt-1">
        It does not take place on {formatLongDate(event.eventDate)}. A new date is to come.
        {event.hasTickets && ' Tickets stay valid for it, and their buyers are told by email.'}
      </p>
    </div>
  </section>
);
