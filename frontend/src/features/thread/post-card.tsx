import { postPath, type SocialPost } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import Heart from 'lucide-react/icons/heart';
import Link2 from 'lucide-react/icons/link-2';
import MessageCircle from 'lucide-react/icons/message-circle';
import { Suspense, useState } from 'react';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { lazily } from '../../lib/loading/lazily.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { Poster } from '../../ui/poster.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MoreMenu } from './more-menu.tsx';
import { MarkButton, Subject, act, card, hidden } from './parts.tsx';
import { sharePost, useLikePost, useShownPosts } from './posts-api.ts';
import { useNames } from './person.ts';
import { texts } from './texts.en.ts';
import type { ThreadActions } from './thread-dialogs.tsx';
import { When, Words } from './words.tsx';

const PostComments = lazily(
  async () => (await import('./post-comments.tsx')).PostComments,
  () => <NotLoaded what={textsNow(texts)('theComments')} heading="h3" />,
);

interface PostCardProps {
  post: SocialPost;
  actions: ThreadActions<SocialPost>;
  /** Whether the card is in the first viewport, so that its picture loads first. */
  priority?: boolean;
  /** Whether the post has the page to itself, with its comments open. */
  isAlone?: boolean;
}

/** One post: author, time, text as typed, picture, subject and actions. */
export function PostCard({ post, actions, priority = false, isAlone = false }: PostCardProps) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const { id, userId, hasProfile, content, imageUrl, place, eventId, createdAt, editedAt } = post;
  const [isOpen, setOpen] = useState(isAlone);
  const name = nameOf(post);
  return (
    <article aria-label={t('postBy', { name })} data-post={id} className={card}>
      <header className="flex items-start justify-between gap-2">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2">
          <TextLink
            quiet
            to={hasProfile ? `/u/${userId}` : `/community?author=${userId}`}
            className="font-strong wrap-anywhere"
          >
            <bdi>{name}</bdi>
          </TextLink>
          {post.isOrganizer && <Badge tone="accent">{t('organizer')}</Badge>}
          <TextLink quiet to={postPath(id)} className="text-note text-ink-soft">
            <When at={createdAt} />
          </TextLink>
          {editedAt && (
            <span className="text-note text-ink-soft" title={formatMoment(editedAt)}>
              {t('edited')}
            </span>
          )}
        </p>
        <MoreMenu
          item={post}
          reportable={{ kind: 'post', id }}
          label={t('morePost', { name })}
          actions={actions}
          isChangeable
        />
      </header>
      <Words>{content}</Words>
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
          <Subject of={post} place={place} list="/community" />
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
      <Suspense fallback={<Skeleton className="h-14" />}>
        {isOpen && <PostComments post={post} onBlock={actions.onBlock} onReport={actions.onReport} />}
      </Suspense>
    </article>
  );
}

function LikeButton({ post: { id, likes, isLiked }, name }: { post: SocialPost; name: string }) {
  const t = useTexts(texts);
  const like = useLikePost();
  return (
    <MarkButton isOn={isLiked} onPress={() => like.mutate({ id, wanted: !isLiked })}>
      <Heart aria-hidden className={cx(isLiked && 'fill-accent text-accent-ink')} />
      {t.rich('likePost', { name, number: formatCount(likes), count: likes, hidden })}
    </MarkButton>
  );
}

/** Copies the post's URL and counts one share per account. */
function ShareButton({ post, name }: { post: SocialPost; name: string }) {
  const t = useTexts(texts);
  const { token } = useSession();
  const shown = useShownPosts();
  const [copied, setCopied] = useState<boolean | null>(null);
  const address = `${window.location.origin}${postPath(post.id)}`;
  // The link is copied even if counting fails.
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
