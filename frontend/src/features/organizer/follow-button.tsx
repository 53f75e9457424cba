import type { Organizer } from '@beltway/contracts/catalog/organizers';
import Check from 'lucide-react/icons/check';
import Plus from 'lucide-react/icons/plus';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { texts } from './texts.en.ts';
import { noteWanted, takeWanted } from './wanted.ts';
import { useFollow } from './use-follow.ts';

/**
 * Follows or unfollows an organizer. A visitor signs in first and then follows automatically. Hidden on the account's
 * own page.
 */
export function FollowButton({ organizer }: { organizer: Pick<Organizer, 'id' | 'name'> }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { following, isKnown, change } = useFollow(organizer);
  const isOwn = user?.id === organizer.id;
  const { mutate } = change;
  useEffect(() => {
    if (user && !isOwn && isKnown && takeWanted(organizer.id)) mutate(true);
  }, [user, isOwn, isKnown, organizer.id, mutate]);
  if (isOwn) return null;
  const press = () => {
    if (user) return mutate(!following);
    noteWanted(organizer.id);
    void navigate(signInPath(pathname + search));
  };
  return (
    <Button
      variant="secondary"
      aria-pressed={following}
      aria-label={t('followOf', { name: organizer.name ?? t('thisOrganizer') })}
      disabled={!isKnown}
      onClick={press}
    >
      {following ? <Check aria-hidden className="size-4" /> : <Plus aria-hidden className="size-4" />}
      {following ? t('following') : t('follow')}
    </Button>
  );
}
