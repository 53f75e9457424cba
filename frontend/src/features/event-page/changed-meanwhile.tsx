import { clockText } from '@beltway/contracts/when';
import { useEffect, useRef } from 'react';
import type { EventForm } from '../../lib/event-form/event-form.ts';
import { formatLongDate } from '../../lib/format.ts';
import { refundPromise } from '@beltway/contracts/refund-promise';
import { deadlineOf } from '../../lib/refunds/deadline.ts';
import { Button } from '../../ui/button.tsx';
import type { Meanwhile } from './meanwhile.ts';

const names: Record<keyof EventForm, string> = {
  title: 'Title',
  description: 'Description',
  imageUrl: 'Picture',
  location: 'Place',
  tags: 'Tags',
  eventDate: 'Date',
  eventStartTime: 'Start time',
  eventEndTime: 'End time',
  ticketPrice: 'Ticket price',
  totalTickets: 'Total tickets',
  refundDeadlineHours: 'Refunds',
};

function shown({ field, theirs }: Meanwhile): string {
  if (field === 'imageUrl') return theirs ? 'another picture' : 'no picture';
  if (field === 'eventDate') return theirs ? formatLongDate(`${String(theirs)}T12:00:00Z`) : 'none, it is postponed';
  if (field === 'refundDeadlineHours') return `‘${refundPromise(deadlineOf(String(theirs)))}’`;
  if (theirs === '') return 'none';
  if (field === 'eventStartTime' || field === 'eventEndTime') return clockText(String(theirs));
  return Array.isArray(theirs) ? theirs.join(' ') : `‘${String(theirs)}’`;
}

interface ChangedMeanwhileProps {
  meanwhile: readonly Meanwhile[];
  onTake: (field: keyof EventForm) => void;
}

/** Above the form, after its save was refused: what somebody else changed, and what becomes of it. */
export function ChangedMeanwhile({ meanwhile, onTake }: ChangedMeanwhileProps) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    region.current?.scrollIntoView?.({ block: 'nearest' });
    region.current?.focus();
  }, [meanwhile.length]);
  return (
    <section
      ref={region}
      role="alert"
      tabIndex={-1}
      aria-labelledby="meanwhile-title"
      className="grid gap-2 rounded-md bg-warning-soft px-4 py-3"
    >
      <h3 id="meanwhile-title" className="font-text text-body font-strong text-warning-ink">
        This event was changed meanwhile
      </h3>
      <p className="text-note">Nothing that you typed is lost. Look at it once more, and press Save again.</p>
      <ul className="grid gap-1 text-note">
        {meanwhile.map((one) => (
          <li key={one.field} className="flex flex-wrap items-center gap-x-3">
            <span className="min-w-0 break-words">
              <b className="font-strong">{names[one.field]}</b> is now {shown(one)}.{' '}
              {one.isContested ? 'Yours is in the form.' : 'It is in the form.'}
            </span>
            {one.isContested && (
              <Button variant="quiet" className="px-3 text-note" onClick={() => onTake(one.field)}>
                Take theirs
                <span className="sr-only"> for {names[one.field].toLowerCase()}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
