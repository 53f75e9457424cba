import type { TopPick } from '@beltway/contracts/media/top-picks';
import { useQuery } from '@tanstack/react-query';
import Heart from 'lucide-react/icons/heart';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { cx } from '../../ui/cx.ts';
import { mineQuery, useLike } from './api.ts';
import { texts } from './texts.en.ts';

/** A like button with its count; a second press removes the like. Visitors sign in first. */
export function LikeButton({ video: { id, title, likes }, className }: { video: TopPick; className?: string }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const mine = useQuery({ ...mineQuery(), enabled: user !== null });
  const like = useLike();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isLiked = user !== null && mine.data?.liked.includes(id) === true;
  return (
    <button
      type="button"
      aria-pressed={isLiked}
      disabled={user !== null && !mine.data}
      onClick={() =>
        user ? like.mutate({ id, wanted: !isLiked }) : void navigate(signInPath(`${pathname}#video-${id}`))
      }
      className={cx(
        'tabular inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-full px-3 font-strong hover:bg-sunken',
        className,
      )}
    >
      <Heart aria-hidden className={cx('size-5', isLiked && 'fill-accent text-accent-ink')} />
      <span className="sr-only">{t('like', { title })}</span>
      {formatCount(likes)}
      <span className="sr-only">{t('likes', { count: likes })}</span>
    </button>
  );
}
