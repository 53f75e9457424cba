import type { Event } from '@beltway/contracts/catalog/events';
import { Payouts } from '@beltway/contracts/payments/payouts';
import { useQuery } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { cx } from '../../ui/cx.ts';
import { texts } from './owner.texts.en.ts';

const row =
  'flex min-h-11 w-full items-center justify-between gap-3 text-start font-strong underline-offset-4 hover:underline [&_svg]:size-4 [&_svg]:shrink-0';

/** Suggested steps for an event that was just launched, after sharing it. Completed steps are checked off. */
export function LaunchChecklist({ event }: { event: Event }) {
  const t = useTexts(texts);
  const [, setEditing] = useDialogEntry('edit');
  const [, setPromoting] = useDialogEntry(`promote-${event.id}`);
  const payouts = useQuery({ ...apiQuery(Payouts, '/api/payouts'), enabled: event.hasTickets });
  const hasPhoto = event.imageUrl !== null && !event.imageUrl.startsWith('/media/posters/');
  const steps = [
    { words: t('stepPhoto'), isDone: hasPhoto, act: () => setEditing(true) },
    ...(event.hasTickets
      ? [{ words: t('stepPayouts'), isDone: payouts.data?.state === 'ready', to: '/dashboard' }]
      : []),
    { words: t('stepSite'), isDone: false, to: '/dashboard' },
    { words: t('stepPromote'), isDone: event.isSponsored, act: () => setPromoting(true) },
  ];
  return (
    <section aria-labelledby="steps-title" className="rounded-lg border border-line bg-surface px-5 py-4 sm:px-6">
      <h2 id="steps-title" className="text-title">
        {t('checklist')}
      </h2>
      <ul className="mt-1 grid sm:grid-cols-2 sm:gap-x-10">
        {steps.map(({ words, isDone, act, to }) => (
          <li key={words} className="border-b border-line last:border-0">
            {isDone ? (
              <p className={cx(row, 'text-ink-soft hover:no-underline')}>
                <span>
                  {t.rich('stepDone', { step: words, hidden: (said) => <span className="sr-only">{said}</span> })}
                </span>
                <Check aria-hidden className="text-success-ink" />
              </p>
            ) : to === undefined ? (
              <button type="button" className={row} onClick={act}>
                {words}
                <ChevronRight aria-hidden />
              </button>
            ) : (
              <Link to={to} className={row}>
                {words}
                <ChevronRight aria-hidden />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
