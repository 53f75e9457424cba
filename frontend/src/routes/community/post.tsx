import type { SocialPost } from '@beltway/contracts/realtime/community';
import { useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { postQuery } from '../../features/community/api.ts';
import { useNames } from '../../features/community/person.ts';
import { PostCard } from '../../features/community/post-card.tsx';
import { usePostDialogs } from '../../features/community/post-dialogs.tsx';
import { texts } from '../../features/community/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

const shape = 'page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 py-6 lg:py-10';

/** One post with its comments: where a shared link leads (docs/product.md#posts). */
export function Component() {
  const t = useTexts(texts);
  const nameOf = useNames();
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useQuery({ ...postQuery(id), enabled: isId });
  usePageTitle(found.data ? t('postBy', { name: nameOf(found.data) }) : t('post'));
  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <div className={shape}>
        <EmptyState
          heading="h1"
          title={t('postNotFound')}
          action={<ButtonLink to="/community">{t('seeCommunity')}</ButtonLink>}
        >
          {t('postNotFoundWhy')}
        </EmptyState>
      </div>
    );
  if (found.data) return <PostPage post={found.data} />;
  if (found.isError)
    return (
      <div className={shape}>
        <ErrorState
          heading="h1"
          title={t('postNotLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </div>
    );
  return (
    <Loading label={t('postLoading')} className={shape}>
      <Skeleton className="h-64 rounded-lg" />
    </Loading>
  );
}

function PostPage({ post }: { post: SocialPost }) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const navigate = useNavigate();
  const { actions, dialogs } = usePostDialogs({
    onRemoved: () => void navigate('/community', { replace: true }),
    onBlocked: ({ userId }) => userId === post.userId && void navigate('/community', { replace: true }),
  });
  return (
    <div className={shape}>
      <p>
        <Link to="/community" className="inline-flex min-h-11 items-center gap-2 underline-offset-4 hover:underline">
          <ArrowLeft aria-hidden className="size-4" />
          {t('title')}
        </Link>
      </p>
      <h1 className="sr-only">{t('postBy', { name: nameOf(post) })}</h1>
      <PostCard post={post} actions={actions} priority isAlone />
      {dialogs}
    </div>
  );
}
