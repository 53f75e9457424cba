import { postPath, type SocialPost } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Heart from 'lucide-react/icons/heart';
import Link2 from 'lucide-react/icons/link-2';
import MapPin from 'lucide-react/icons/map-pin';
import MessageCircle from 'lucide-react/icons/message-circle';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { Age } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu-panel.tsx';
import { Poster } from '../../ui/poster.tsx';
import { sharePost, useLikePost, useShownPosts } from './api.ts';
import { useNames, type Person, type Reportable } from './person.ts';
import { PostComments } from './post-comments.tsx';
import { texts } from './texts.en.ts';

/** What a post asks of the page that it stands on. */
export interface PostActions {
  onEdit: (post: SocialPost) => void;
  onRemove: (post: SocialPost) => void;
  onBlock: (person: Person) => void;
  onReport: (what: Reportable) => void;
}

interface PostCardProps {
  post: SocialPost;
  actions: PostActions;
  /** Of the first screen: its picture is loaded before all others. */
  priority?: boolean;
  /** It stands on a page of its own, with its comments. */
  isAlone?: boolean;
}

const act =
  'tabular inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-full px-3 font-strong hover:bg-sunken [&_svg]:size-5';
const chip =
  'inline-flex min-h-11 items-center gap-1.5 underline-offset-4 hover:underline [&_svg]:size-4 [&_svg]:shrink-0';

const hidden = (words: ReactNode) => <span className="sr-only">{words}</span>;

/** One post: who, when, the words as they were typed, the picture, what it is about, and what one may do with it. */
export function PostCard({ post, actions, priority = false, isAlone = false }: PostCardProps) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const { id, userId, hasProfile, content, imageUrl, place, eventId, eventTitle, createdAt, editedAt } = post;
  const [isOpen, setOpen] = useState(isAlone);
  const name = nameOf(post);
  return (
    <article
      aria-label={t('postBy', { name })}
      data-post={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line bg-raised px-4 pb-2 pt-3 sm:px-5"
    >
      <header className="flex items-start justify-between gap-2">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2">
          <Link
            to={hasProfile ? `/u/${userId}` : `/community?author=${userId}`}
            className="inline-flex min-h-11 items-center font-strong underline-offset-4 wrap-anywhere hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
          {post.isOrganiser && <Badge tone="accent">{t('organiser')}</Badge>}
          <Link
            to={postPath(id)}
            className="inline-flex min-h-11 items-center text-note text-ink-soft underline-offset-4 hover:underline"
          >
            <time dateTime={createdAt} title={formatMoment(createdAt)}>
              <Age of={createdAt} />
            </time>
          </Link>
          {editedAt && (
            <span className="text-note text-ink-soft" title={formatMoment(editedAt)}>
              {t('edited')}
            </span>
          )}
        </p>
        <More post={post} actions={actions} />
      </header>
      <p dir="auto" className="max-w-prose whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
        {content}
      </p>
      {imageUrl && (
        <a href={imageUrl} target="_blank" rel="noopener" aria-label={t('pictureBy', { name })}>
          <Poster
            src={imageUrl}
            alt=""
            priority={priority}
            className="aspect-4/3 rounded-md"
            sizes="(min-width: 48rem) 42rem, 92vw"
          />
        </a>
      )}
      {(place || eventId !== null) && (
        <p className="flex flex-wrap gap-x-4 text-note text-ink-soft">
          {eventId !== null && (
            <Link to={`/event/${eventId}`} className={chip}>
              <CalendarDays aria-hidden />
              <bdi className="wrap-anywhere">{eventTitle ?? t('eventNumber', { number: String(eventId) })}</bdi>
            </Link>
          )}
          {place && (
            <Link to={`/community?place=${place.id}`} className={chip}>
              <MapPin aria-hidden />
              {t('placeIn', { name: place.name, state: place.state })}
            </Link>
          )}
        </p>
      )}
      <div className="-mx-3 flex flex-wrap items-center">
        <LikeButton post={post} name={name} />
        {isAlone ? (
          <span className={cx(act, 'hover:bg-transparent')}>
            <MessageCircle aria-hidden />
            {t.rich('commentCount', { number: formatCount(post.comments), count: post.comments, hidden })}
          </span>
        ) : (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={act}>
            <MessageCircle aria-hidden />
            {t.rich('openComments', { name, number: formatCount(post.comments), hidden })}
          </button>
        )}
        <ShareButton post={post} name={name} />
      </div>
      {isOpen && <PostComments post={post} onBlock={actions.onBlock} onReport={actions.onReport} />}
    </article>
  );
}

/** A like with its count; pressed again it is taken back. Who is signed out signs in first. */
function LikeButton({ post, name }: { post: SocialPost; name: string }) {
  const t = useTexts(texts);
  const { token } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const like = useLikePost();
  return (
    <button
      type="button"
      aria-pressed={post.isLiked}
      onClick={() =>
        token ? like.mutate({ id: post.id, wanted: !post.isLiked }) : void navigate(signInPath(pathname + search))
      }
      className={act}
    >
      <Heart aria-hidden className={cx(post.isLiked && 'fill-accent text-accent-ink')} />
      {t.rich('likePost', { name, number: formatCount(post.likes), count: post.likes, hidden })}
    </button>
  );
}

/** Copies the post's address; of who is signed in it counts once. */
function ShareButton({ post, name }: { post: SocialPost; name: string }) {
  const t = useTexts(texts);
  const { token } = useSession();
  const shown = useShownPosts();
  const [copied, setCopied] = useState<boolean | null>(null);
  const address = `${window.location.origin}${postPath(post.id)}`;
  // The link is copied whether it is counted or not.
  const count = useMutation({
    mutationFn: () => sharePost(post.id),
    onSuccess: (answer) => shown.change(post.id, (one) => ({ ...one, ...answer })),
  });
  const share = async () => {
    const isCopied = await copyText(address);
    setCopied(isCopied);
    if (isCopied && token) count.mutate();
  };
  return (
    <>
      <button type="button" onClick={() => void share()} className={act}>
        <Link2 aria-hidden />
        {t.rich('sharePost', { name, number: formatCount(post.shares), count: post.shares, hidden })}
      </button>
      <span role="status" className="px-3 text-note text-ink-soft wrap-anywhere">
        {copied === true && t('linkCopied')}
        {copied === false && t('copyThis', { address })}
      </span>
    </>
  );
}

function More({ post, actions }: { post: SocialPost; actions: PostActions }) {
  const t = useTexts(texts);
  const name = useNames()(post);
  const { user } = useSession();
  if (!user) return null;
  const items: MenuEntry[] = [
    ...(post.isOwn ? [{ label: t('change'), onSelect: () => actions.onEdit(post) }] : []),
    ...(post.mayRemove
      ? [{ label: post.isOwn ? t('delete') : t('hide'), onSelect: () => actions.onRemove(post) }]
      : []),
    ...(post.isOwn ? [] : [{ label: t('report'), onSelect: () => actions.onReport({ kind: 'post', id: post.id }) }]),
    ...(post.isOwn ? [] : [{ label: t('blockOne', { name }), onSelect: () => actions.onBlock(post) }]),
  ];
  return (
    <Menu
      trigger={
        <IconButton label={t('morePost', { name })} className="-mr-2">
          <Ellipsis aria-hidden />
        </IconButton>
      }
      items={items}
    />
  );
}
