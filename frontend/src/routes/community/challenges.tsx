import { CommunityNav } from '../../features/community/community-nav.tsx';
import { ChallengeList } from '../../features/points/challenge-list.tsx';
import { texts } from '../../features/points/challenges.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';

/** Weekly challenges: what they ask for, how far one is, and what is left of their places and time. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('challenges'));
  const { user } = useSession();
  return (
    <div className="page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 flex-[1_1_18rem]">
          <h1 className="text-heading">{t('challenges')}</h1>
          <p className="mt-1 text-ink-soft">{t('challengesLead')}</p>
        </div>
        {user ? (
          <ButtonLink variant="secondary" to={`/u/${user.id}`}>
            {t('yourPoints')}
          </ButtonLink>
        ) : (
          <ButtonLink variant="secondary" to={signInPath('/community/challenges')}>
            {t('signIn')}
          </ButtonLink>
        )}
      </header>
      <CommunityNav />
      <ChallengeList userId={user?.id} />
    </div>
  );
}
