import { useEffect, useRef } from 'react';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { momentOf, type EventForm } from '../../lib/event-form/event-form.ts';
import { freeEntry } from '../../lib/events/event-facts.ts';
import { texts as names } from '../../lib/event-form/names.texts.en.ts';
import { formatClock, formatLongDate, formatMoment } from '../../lib/i18n/format.ts';
import { refundRule } from '@beltway/contracts/ticketing/refund-promise';
import { language } from '../../lib/i18n/language.ts';
import { deadlineOf } from '../../lib/refunds/deadline.ts';
import { Button } from '../../ui/button.tsx';
import type { Meanwhile } from './meanwhile.ts';
import { texts } from './owner.texts.en.ts';

function shown(t: TextsOf<typeof texts>, { field, theirs }: Meanwhile): string {
  if (field === 'imageUrl') return theirs ? t('anotherPicture') : t('noPicture');
  if (field === 'eventDate') return theirs ? formatLongDate(`${String(theirs)}T12:00:00Z`) : t('noDate');
  if (field === 'eventLastDate' && theirs) return formatLongDate(String(theirs));
  if (field === 'refundDeadlineHours') return `‘${refundRule(deadlineOf(String(theirs)), language())}’`;
  if (theirs === true) return `‘${freeEntry()}’`;
  if (theirs === '' || theirs === false) return t('none');
  if (field === 'ticketSalesStartTime' || field === 'ticketSalesEndTime') return formatMoment(momentOf(String(theirs)));
  if (field === 'eventStartTime' || field === 'eventEndTime') return formatClock(String(theirs));
  return Array.isArray(theirs) ? theirs.join(' ') : `‘${String(theirs)}’`;
}

interface ChangedMeanwhileProps {
  meanwhile: readonly Meanwhile[];
  onTake: (field: keyof EventForm) => void;
}

/** Shown above the form after a rejected save: others' changes, and how they will be merged. */
export function ChangedMeanwhile({ meanwhile, onTake }: ChangedMeanwhileProps) {
  const t = useTexts(texts);
  const name = useTexts(names);
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
        {t('meanwhile')}
      </h3>
      <p className="text-note">{t('meanwhileWhy')}</p>
      <ul className="grid gap-1 text-note">
        {meanwhile.map((one) => (
          <li key={one.field} className="flex flex-wrap items-center gap-x-3">
            <span className="min-w-0 wrap-anywhere">
              {t.rich(one.isContested ? 'isNowYours' : 'isNowTheirs', {
                field: name(one.field),
                value: shown(t, one),
                b: (words) => <b className="font-strong">{words}</b>,
              })}
            </span>
            {one.isContested && (
              <Button variant="quiet" className="px-3 text-note" onClick={() => onTake(one.field)}>
                {t.rich('takeTheirs', {
                  field: name(one.field).toLowerCase(),
                  hidden: (words) => <span className="sr-only">{words}</span>,
                })}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
