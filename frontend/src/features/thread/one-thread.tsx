import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode } from 'react';
import { explain, HttpError } from '../../lib/http/http.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';

const shape = 'page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 py-6 lg:py-10';

interface OneThreadProps {
  /** The query of the post or question. `isPossible`: whether the URL contains a number. */
  found: { error: Error | null; isError: boolean; isFetching: boolean; refetch: () => Promise<unknown> };
  isPossible: boolean;
  /** The path of the list of posts or questions. */
  list: string;
  /** The height of the card's skeleton. */
  height: string;
  words: {
    list: string;
    notFound: string;
    notFoundWhy: string;
    seeAll: string;
    notLoaded: string;
    loading: string;
  };
  /** Undefined until the post or question is loaded. */
  children: ReactNode;
}

/** The page of one post or question with its thread, or its loading, missing or error state. */
export function OneThread({ found, isPossible, list, height, words, children }: OneThreadProps) {
  const isMissing = !isPossible || (found.error instanceof HttpError && found.error.status === 404);
  if (!isMissing && !children && !found.isError)
    return (
      <Loading label={words.loading} className={shape}>
        <Skeleton className={cx('rounded-lg', height)} />
      </Loading>
    );
  return (
    <div className={shape}>
      {isMissing ? (
        <EmptyState heading="h1" title={words.notFound} action={<ButtonLink to={list}>{words.seeAll}</ButtonLink>}>
          {words.notFoundWhy}
        </EmptyState>
      ) : children ? (
        <>
          <p>
            <TextLink quiet to={list} className="gap-2">
              <ArrowLeft aria-hidden className="size-4" />
              {words.list}
            </TextLink>
          </p>
          {children}
        </>
      ) : (
        <ErrorState
          heading="h1"
          title={words.notLoaded}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      )}
    </div>
  );
}
