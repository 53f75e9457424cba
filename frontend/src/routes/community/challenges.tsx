import { CommunityNav } from '../../features/thread/community-nav.tsx';
import { ChallengeList } from '../../features/points/challenge-list.tsx';
import { texts } from '../../features/points/challenges.texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

/** Weekly challenges: requirements, progress, remaining rewards and time. */
export function Component() {
  const t = useTexts(texts);
  usePageTitle(t('challenges'));
  const { user } = useSession();
  return (
    <Page
      title={t('challenges')}
      intro={t('challengesLead')}
      actions={
        user ? (
          <ButtonLink variant="secondary" to={`/u/${user.id}`}>
            {t('yourPoints')}
          </ButtonLink>
        ) : (
          <ButtonLink variant="secondary" to={signInPath('/community/challenges')}>
            {t('signIn')}
          </ButtonLink>
        )
      }
      width="text"
    >
      <CommunityNav />
      <ChallengeList userId={user?.id} />
    </Page>
  );
}
