import type { Badge as BadgeOf, UserBadge } from '@beltway/contracts/identity/points';
import type { UseQueryResult } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import Award from 'lucide-react/icons/award';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import Camera from 'lucide-react/icons/camera';
import Crown from 'lucide-react/icons/crown';
import Music from 'lucide-react/icons/eighth-notes';
import Flame from 'lucide-react/icons/flame';
import Handshake from 'lucide-react/icons/handshake';
import Images from 'lucide-react/icons/images';
import MapIcon from 'lucide-react/icons/map';
import Ticket from 'lucide-react/icons/ticket';
import Trophy from 'lucide-react/icons/trophy';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatDate } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { names, useNames } from '../../lib/i18n/names.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { texts } from './texts.en.ts';

const ICONS: Record<string, LucideIcon | undefined> = {
  ...{ ticket: Ticket, 'calendar-check': CalendarCheck, crown: Crown, trophy: Trophy, camera: Camera },
  ...{ images: Images, flame: Flame, music: Music, map: MapIcon, handshake: Handshake },
};
const TONES: Record<BadgeOf['rarity'], BadgeTone> = {
  ...{ common: 'neutral', rare: 'success', epic: 'accent', legendary: 'inverse' },
};

interface BadgeSectionProps {
  found: UseQueryResult<{ items: (BadgeOf | UserBadge)[] }>;
}

/** Badges with their conditions, and a person's progress. */
export function BadgeSection({ found }: BadgeSectionProps) {
  const t = useTexts(texts);
  if (found.data)
    return (
      <ul aria-label={t('badges')} className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2">
        {found.data.items.map((badge) => (
          <li key={badge.id}>
            <BadgeCard badge={badge} />
          </li>
        ))}
      </ul>
    );
  if (found.isError)
    return (
      <ErrorState
        title={t('badgesNotLoaded')}
        message={explain(found.error)}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    );
  return (
    <Loading label={t('badgesLoading')} className="grid gap-3 sm:grid-cols-2">
      {[1, 2, 3, 4].map((at) => (
        <Skeleton key={at} className="h-28 rounded-lg" />
      ))}
    </Loading>
  );
}

const badges = names(() => import('./badges.names.es.ts'));

function BadgeCard({ badge }: { badge: BadgeOf | UserBadge }) {
  const t = useTexts(texts);
  const { icon, rarity, requirement } = badge;
  const nameOf = useNames(badges);
  const name = nameOf(badge.id, badge.name);
  const Icon = ICONS[icon] ?? Award;
  const person = 'progress' in badge ? badge : null;
  const isUnlocked = Boolean(person?.unlockedAt);
  return (
    <article
      aria-label={name}
      className="flex h-full items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3"
    >
      <span
        className={cx(
          'grid size-11 shrink-0 place-items-center rounded-full',
          isUnlocked ? 'bg-accent text-on-accent' : 'bg-sunken text-ink-soft',
        )}
      >
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-strong wrap-anywhere">{name}</span>
          <Badge tone={TONES[rarity]}>{t(rarity)}</Badge>
        </p>
        <Meta>{nameOf(`${badge.id}-why`, badge.description)}</Meta>
        {person &&
          (person.unlockedAt ? (
            <p className="text-note text-success-ink">{t('unlocked', { day: formatDate(person.unlockedAt) })}</p>
          ) : (
            <ProgressBar
              label={t('progressTo', { name })}
              value={person.progress}
              max={requirement.count}
              text={t('progress', { done: formatCount(person.progress), all: formatCount(requirement.count) })}
            />
          ))}
      </div>
    </article>
  );
}
