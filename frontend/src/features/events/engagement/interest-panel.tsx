import type { Event } from '@beltway/contracts/catalog/events';
import type { Interest } from '@beltway/contracts/identity/engagement';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import Star from 'lucide-react/icons/star';
import type { ReactNode } from 'react';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { useEventClock } from '../../../lib/events/event-clock.ts';
import { countsOf, useMine, useReact } from '../../../lib/events/engagement.ts';
import { isPostponed, isUpcoming } from '../../../lib/events/event-facts.ts';
import { formatCount } from '../../../lib/i18n/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { texts } from '../views.texts.en.ts';

/** How many are interested, go and shared it; and, until it is over or canceled, one's own answer. */
export function InterestPanel({ event }: { event: Event }) {
  const t = useTexts(texts);
  const { interested, going, shares, views } = countsOf(event);
  const mine = useMine(event.id);
  const react = useReact(event.id);
  const now = useEventClock(event);
  // What one said before can be taken back in any case.
  const isOpen = isUpcoming(event, now) || isPostponed(event);
  const facts = [
    [t('howManyInterested'), interested],
    [t('howManyGoing'), going],
    [t('shares'), shares],
  ] as const;
  const choice = (interest: Interest, label: string, icon: ReactNode) => {
    const isMine = mine.interest === interest;
    return (
      <button
        type="button"
        aria-pressed={isMine}
        disabled={!isOpen && !isMine}
        className={buttonClass(
          'secondary',
          'min-w-0 px-3 aria-pressed:border-transparent aria-pressed:bg-inverse aria-pressed:text-on-inverse [&_svg]:size-4',
        )}
        onClick={() => react({ kind: 'interest', wanted: isMine ? null : interest })}
      >
        {icon}
        {label}
      </button>
    );
  };
  return (
    <Card aria-labelledby="interest-title" className="gap-4">
      <h2 id="interest-title" className="sr-only">
        {t('whoIsInterested')}
      </h2>
      <dl className="grid grid-cols-3 gap-2">
        {facts.map(([name, number]) => (
          <div key={name} className="flex flex-col-reverse">
            <Meta as="dt">{name}</Meta>
            <dd className="font-display text-title font-strong tabular">{formatCount(number)}</dd>
          </div>
        ))}
      </dl>
      {(isOpen || mine.interest !== null) && (
        <div role="group" aria-label={t('yourAnswer')} className="grid grid-cols-2 gap-2 max-[22rem]:grid-cols-1">
          {choice('interested', t('interested'), <Star aria-hidden />)}
          {choice('going', t('going'), <CalendarCheck aria-hidden />)}
        </div>
      )}
      {views > 0 && <Meta className="tabular">{t('seenBy', { count: views, number: formatCount(views) })}</Meta>}
    </Card>
  );
}
