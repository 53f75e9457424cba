import type { SocialPost } from '@beltway/contracts/realtime/community';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { OneThread } from '../../features/thread/one-thread.tsx';
import { useNames } from '../../features/thread/person.ts';
import { PostCard } from '../../features/thread/post-card.tsx';
// The comments are open on this page, so their code loads with it.
import '../../features/thread/post-comments.tsx';
import { usePostDialogs } from '../../features/thread/post-dialogs.tsx';
import { postQuery } from '../../features/thread/posts-api.ts';
import { texts } from '../../features/thread/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';

/** One post with its comments, the target of shared links (services/realtime/PRODUCT.md#posts). */
export function Component() {
  const t = useTexts(texts);
  const nameOf = useNames();
  const id = Number(useParams()['id']);
  const isPossible = Number.isInteger(id) && id > 0;
  const found = useQuery({ ...postQuery(id), enabled: isPossible });
  usePageTitle(found.data ? t('postBy', { name: nameOf(found.data) }) : t('post'));
  const words = {
    list: t('title'),
    notFound: t('postNotFound'),
    notFoundWhy: t('postNotFoundWhy'),
    seeAll: t('seeCommunity'),
    notLoaded: t('postNotLoaded'),
    loading: t('postLoading'),
  };
  return (
    <OneThread {...{ found, isPossible, words }} list="/community" height="h-64">
      {found.data && <Post key={found.data.id} post={found.data} />}
    </OneThread>
  );
}

function Post({ post }: { post: SocialPost }) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const navigate = useNavigate();
  const { actions, dialogs } = usePostDialogs({
    onRemoved: () => void navigate('/community', { replace: true }),
    onBlocked: ({ userId }) => userId === post.userId && void navigate('/community', { replace: true }),
  });
  return (
    <>
      <h1 className="sr-only">{t('postBy', { name: nameOf(post) })}</h1>
      <PostCard post={post} actions={actions} priority isAlone />
      {dialogs}
    </>
  );
}
