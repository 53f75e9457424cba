import type { Event } from '@beltway/contracts/catalog';
import { CircleX } from 'lucide-react';
import { ButtonLink } from '../../ui/button.tsx';

/** The first thing on the page of an event that does not take place. */
export const CancelledBanner = ({ event }: { event: Event }) => (
  <section
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
