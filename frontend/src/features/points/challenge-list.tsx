import type { Challenge } from '@beltway/contracts/identity/challenges';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useClock } from '../../lib/time/clock.ts';
import { formatCount, sayMoment } from '../../lib/i18n/format.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { challengesQuery } from './api.ts';
import { texts } from './challenges.texts.en.ts';
import { ProgressBar } from './progress-bar.tsx';

/** The challenges, latest week first, with the reader's progress. */
export function ChallengeList({ userId }: { userId: number | undefined }) {
  const t = useTexts(texts);
  const found = useInfiniteQuery(challengesQuery(userId));
  return (
    <PagedList
      found={found}
      items={found.data?.pages.flatMap(({ items }) => items)}
      what={t('whatList')}
      skeleton={{ className: 'h-36', of: 'cards' }}
      empty={<EmptyState title={t('none')}>{t('noneWhy')}</EmptyState>}
    >
      {(listed) => (
        <ul aria-label={t('challenges')} className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {listed.map((challenge) => (
            <li key={challenge.id}>
              <ChallengeCard challenge={challenge} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

/** A challenge's title and condition in the page's language. */
function useWords({ type, place }: Challenge): { title: string; why: string } {
  const t = useTexts(texts);
  switch (type) {
    case 'two-events':
      return { title: t('twoEvents'), why: t('twoEventsWhy') };
    case 'town':
      return { title: t('town', { place: place ?? '' }), why: t('townWhy', { place: place ?? '' }) };
    case 'photo':
      return { title: t('photo'), why: t('photoWhy') };
  }
}

function ChallengeCard({ challenge }: { challenge: Challenge }) {
  const t = useTexts(texts);
  const { reward, maxProgress, expiresAt, own } = challenge;
  const now = useClock([expiresAt]);
  const isActive = challenge.isActive && now.getTime() < Date.parse(expiresAt);
  const { title, why } = useWords(challenge);
  return (
    <Card as="article" ground="raised" aria-label={title} className="gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-strong wrap-anywhere">{title}</h2>
        <Badge tone={own?.isRewarded ? 'success' : 'accent'}>{t('gain', { number: formatCount(reward) })}</Badge>
      </div>
      <p className="text-ink-soft">{why}</p>
      {own && (
        <ProgressBar
          label={t('progressOf', { title })}
          value={own.progress}
          max={maxProgress}
          text={t('progress', { done: formatCount(own.progress), all: formatCount(maxProgress) })}
        />
      )}
      {own?.isRewarded && <p className="text-note text-success-ink">{t('met')}</p>}
      <Left challenge={challenge} />
      <Meta>{isActive ? t('until', { when: sayMoment(expiresAt, now) }) : t('over')}</Meta>
    </Card>
  );
}

/** The number of rewards left. A reader who completed the challenge too late sees that none are left. */
function Left({ challenge: { places, placesLeft, maxProgress, own } }: { challenge: Challenge }) {
  const t = useTexts(texts);
  if (places === null || placesLeft === null || own?.isRewarded) return null;
  const isWaiting = own && own.progress >= maxProgress && placesLeft === 0;
  return (
    <Meta>
      {isWaiting && t('noPlace')}
      {!isWaiting && placesLeft === 0 && t('placesGone')}
      {placesLeft > 0 &&
        t('placesLeft', { number: formatCount(placesLeft), all: formatCount(places), count: placesLeft })}
    </Meta>
  );
}
