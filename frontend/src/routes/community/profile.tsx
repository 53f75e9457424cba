import type { UserStats } from '@beltway/contracts/identity/points';
import { useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Link, useLocation, useParams } from 'react-router-dom';
import { WithPerson } from '../../features/connections/with-person.tsx';
import { personBadgesQuery, statsQuery } from '../../features/points/api.ts';
import { BadgeSection } from '../../features/points/badge-list.tsx';
import { PointsList } from '../../features/points/points-list.tsx';
import { Standing } from '../../features/points/standing.tsx';
import { VisibilitySwitch } from '../../features/points/visibility-switch.tsx';
import { texts } from '../../features/points/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { ReportButton } from '../../lib/report/report-button.tsx';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

const shape = 'page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 py-6 lg:py-10';

/** Points and badges of the user, or of a person with a public profile. */
export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useQuery({ ...statsQuery(id), enabled: isId });
  // The page does not reveal whether a profile is private or does not exist.
  const isPrivate = !isId || (found.error instanceof HttpError && found.error.status === 404);
  usePageTitle(found.data && !isPrivate ? found.data.name : t('profile'));
  if (isPrivate) return <Private />;
  if (found.data) return <Profile stats={found.data} />;
  if (found.isError)
    return (
      <div className={shape}>
        <ErrorState
          heading="h1"
          title={t('profileNotLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </div>
    );
  return (
    <Loading label={t('profileLoading')} className={shape}>
      <Skeleton className="h-10 w-64 max-w-full" />
      <Skeleton className="h-28 rounded-lg" />
      <Skeleton className="h-44 rounded-lg" />
    </Loading>
  );
}

function Private() {
  const t = useTexts(texts);
  const { user } = useSession();
  const { pathname } = useLocation();
  return (
    <div className={shape}>
      <EmptyState
        heading="h1"
        title={t('privateTitle')}
        action={
          <>
            {!user && <ButtonLink to={signInPath(pathname)}>{t('signIn')}</ButtonLink>}
            <ButtonLink variant={user ? 'primary' : 'secondary'} to="/community/leaderboard">
              {t('seeLeaderboard')}
            </ButtonLink>
          </>
        }
      >
        {user ? t('private') : t('privateGuest')}
      </EmptyState>
    </div>
  );
}

function Profile({ stats }: { stats: UserStats }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const { userId, name } = stats;
  const isOwn = user?.id === userId;
  const badges = useQuery(personBadgesQuery(userId));
  return (
    <div className={shape}>
      <header>
        <Link
          to="/community/leaderboard"
          className="inline-flex min-h-11 items-center gap-2 underline-offset-4 hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {t('leaderboard')}
        </Link>
        <h1 className="text-heading wrap-anywhere">
          <bdi>{name}</bdi>
        </h1>
        {isOwn && <p className="mt-1 text-ink-soft">{stats.isVisible ? t('othersSee') : t('onlyYouSee')}</p>}
        <Link
          to={`/community?author=${userId}`}
          className="inline-flex min-h-11 items-center underline underline-offset-4"
        >
          {t('posts')}
        </Link>
        {!isOwn && <ReportButton of={{ kind: 'account', id: userId }} className="ml-3" />}
      </header>
      {isOwn && <VisibilitySwitch stats={stats} />}
      {user && !isOwn && <WithPerson userId={userId} />}
      <Standing stats={stats} />
      <section aria-labelledby="badges-title" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h2 id="badges-title" className="text-title">
          {t('badges')}
        </h2>
        <BadgeSection found={badges} />
      </section>
      {isOwn && <PointsList userId={userId} />}
    </div>
  );
}
