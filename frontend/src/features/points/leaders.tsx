import type { LeaderboardPage } from '@beltway/contracts/identity/points';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Meta } from '../../ui/meta.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { leaderboardQuery, type Board } from './api.ts';
import { texts } from './texts.en.ts';

/** The visible profiles, most points first; the reader's own row is marked. */
export function Leaders({ board }: { board: Board }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const found = useInfiniteQuery(leaderboardQuery(board));
  const own = found.data?.pages[0]?.own;
  return (
    <>
      {user && own && <OwnPlace userId={user.id} own={own} />}
      <PagedList
        found={found}
        items={found.data?.pages.flatMap(({ items }) => items)}
        what={t('leaders')}
        skeleton={{ className: 'h-14', of: 'rows' }}
        empty={
          <EmptyState title={t('nobody')}>
            {board.place || board.period === 'week' ? t('nobodyHere') : t('nobodyAtAll')}
          </EmptyState>
        }
      >
        {(listed) => (
          <ol aria-label={t('leaderboard')} className="grid divide-y divide-line">
            {listed.map(({ rank, userId, name, points, level }) => {
              const isOwn = userId === user?.id;
              return (
                <li
                  key={userId}
                  aria-current={isOwn || undefined}
                  className={cx('flex items-center gap-3 px-3 py-2', isOwn && 'rounded-md bg-accent-soft')}
                >
                  <span className="tabular min-w-7 shrink-0 text-right font-strong text-ink-soft">{rank}</span>
                  <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
                    {/* A long name wraps beside the points, and moves below them only if there is no room. */}
                    <div className="flex min-w-0 flex-[1_1_9rem] flex-wrap items-center gap-x-3">
                      <TextLink quiet to={`/u/${userId}`} className="min-w-0 font-strong">
                        <bdi className="wrap-anywhere">{name}</bdi>
                      </TextLink>
                      {isOwn && <Badge tone="accent">{t('you')}</Badge>}
                    </div>
                    <p className="tabular ml-auto text-right">
                      <span className="font-strong">{t('points', { number: formatCount(points), count: points })}</span>
                      <Meta as="span" className="block">
                        {t('level', { level: String(level) })}
                      </Meta>
                    </p>
                  </div>
                </li>
              );
            })}
          </ol>
        )}
      </PagedList>
    </>
  );
}

function OwnPlace({ userId, own: { rank, points } }: { userId: number; own: NonNullable<LeaderboardPage['own']> }) {
  const t = useTexts(texts);
  const pointsText = t('points', { number: formatCount(points), count: points });
  return (
    <p className="flex flex-wrap items-center gap-x-4 rounded-md bg-sunken px-4 py-1">
      <span>
        {rank !== null && t('ownPlace', { rank: formatCount(rank), points: pointsText })}
        {rank === null && points > 0 && t('ownHidden', { points: pointsText })}
        {rank === null && points === 0 && t('ownNone')}
      </span>
      <TextLink to={`/u/${userId}`}>{t('yourProfile')}</TextLink>
    </p>
  );
}
