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
import { Meta } from '../../../ui/meta.tsx';
import { texts as cardTexts } from '../texts.en.ts';
import { texts } from '../views.texts.en.ts';
import { Count, LikeButton } from './controls.tsx';

const COUNTED = { interested: 'interestedCount', going: 'goingCount' } as const;
const LOOK = 'min-w-0 px-3 text-note [&_svg]:size-4';

/**
 * One line with the numbers of people interested and going, likes and shares, without zeros. Until the event is over or
 * canceled, the reader chooses an answer here.
 */
export function InterestPanel({ event }: { event: Event }) {
  const t = useTexts(texts);
  const say = useTexts(cardTexts);
  const { interested, going, shares } = countsOf(event);
  const mine = useMine(event.id);
  const react = useReact(event.id);
  const now = useEventClock(event);
  // An earlier answer can always be removed.
  const isOpen = isUpcoming(event, now) || isPostponed(event);
  const choice = (interest: Interest, number: number, icon: ReactNode) => {
    const isMine = mine.interest === interest;
    if (!isOpen && mine.interest === null)
      return number > 0 && <Meta as="span">{t(COUNTED[interest], { number: formatCount(number) })}</Meta>;
    return (
      <button
        type="button"
        aria-pressed={isMine}
        disabled={!isOpen && !isMine}
        className={buttonClass(
          'secondary',
          `${LOOK} aria-pressed:border-transparent aria-pressed:bg-inverse aria-pressed:text-on-inverse`,
        )}
        onClick={() => react({ kind: 'interest', wanted: isMine ? null : interest })}
      >
        {icon}
        {t(interest)}
        <Count number={number} of="people" />
      </button>
    );
  };
  return (
    <section aria-label={t('whoIsInterested')} className="flex flex-wrap items-center gap-2">
      {choice('interested', interested, <Star aria-hidden />)}
      {choice('going', going, <CalendarCheck aria-hidden />)}
      <LikeButton event={event} label={say('like')} className={buttonClass('secondary', LOOK)} />
      {shares > 0 && (
        <Meta as="span" className="tabular">
          {t('sharesCount', { count: shares, number: formatCount(shares) })}
        </Meta>
      )}
    </section>
  );
}
