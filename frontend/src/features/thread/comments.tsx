import type { Event } from '@beltway/contracts/catalog/events';
import type { Comment, CommentPage } from '@beltway/contracts/realtime/comments';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { ReportDialog } from '../../lib/report/report-dialog.tsx';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { toast } from '../../ui/toast.ts';
import { COMMENT_FIELD, commentsQuery, deleteComment, reportComment, shownComments } from './comments-api.ts';
import type { Section } from './comment-item.tsx';
import { Composer } from './composer.tsx';
import { texts } from './comments.texts.en.ts';
import { Thread } from './comment-thread.tsx';
import { useOnClose } from './use-on-close.ts';
import { draftName, useSend } from './use-send.ts';

const CLOSED = { canceled: 'closedCanceled', over: 'closedOver' } as const satisfies Record<
  NonNullable<CommentPage['closed']>,
  string
>;

interface CommentsProps {
  event: Event;
  /** The heading of the section, which gets the focus when a focused comment is deleted. */
  heading: RefObject<HTMLHeadingElement | null>;
  /** Reports the number of comments. */
  onTotal: (total: number) => void;
}

/** The comments of an event, with the forms to write (services/realtime/PRODUCT.md#comments). */
export function Comments({ event, heading, onTotal }: CommentsProps) {
  const t = useTexts(texts);
  const { user } = useSession();
  const queries = useQueryClient();
  const found = useInfiniteQuery(commentsQuery(event.id));
  const [said, say] = useState('');
  const [reported, setReported] = useState<ReadonlySet<number>>(new Set());
  const [chosen, choose] = useState<Comment | null>(null);
  const [isReporting, setReporting] = useDialogEntry('report');
  const [isDeleting, setDeleting] = useDialogEntry('delete-comment');
  const send = useSend({ event, user });
  const focus = () => heading.current?.focus({ preventScroll: true });
  const isDeleted = useRef(false);
  useOnClose(isDeleting, () => {
    if (isDeleted.current) focus();
    isDeleted.current = false;
  });

  const total = found.data?.pages.at(-1)?.total;
  useEffect(() => {
    if (total === undefined) return;
    onTotal(total);
    // Updates the same count on the cached event.
    queries.setQueryData(eventQuery(event.id).queryKey, (shown) =>
      shown?.counts && shown.counts.comments !== total
        ? { ...shown, counts: { ...shown.counts, comments: total } }
        : shown,
    );
  }, [total, onTotal, queries, event.id]);

  const remove = useMutation({
    mutationFn: async (comment: Comment) => {
      const shown = shownComments(queries, event.id);
      void shown.hold();
      const putBack = shown.remove(comment, 'deleted');
      await deleteComment(comment.id).catch((error: unknown) => {
        // The comment was already deleted, so there is nothing to undo.
        if (error instanceof HttpError && error.status === 404) return;
        putBack();
        throw error;
      });
    },
    onSuccess: () => say(t('deletedNow')),
    onError: (error) => toast({ title: t('notDeleted'), description: explain(error), variant: 'destructive' }),
  });

  const { data } = found;
  if (!data)
    return found.isError ? (
      <ErrorState
        title={t('notLoaded')}
        message={explain(found.error)}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    ) : (
      <CommentsLoading />
    );

  const threads = data.pages.flatMap(({ items }) => items);
  const closed = data.pages[0]?.closed ?? null;
  const section: Section = {
    event,
    user,
    isClosed: closed !== null,
    say,
    focus,
    reported,
    onReport: (comment) => {
      choose(comment);
      setReporting(true);
    },
    onDelete: (comment) => {
      choose(comment);
      setDeleting(true);
    },
  };
  const isModerator = user?.id === event.userId || user?.role === 'admin';
  return (
    <div className="grid gap-6">
      <p role="status" className="sr-only">
        {said}
      </p>
      {closed ? (
        <p className="text-ink-soft">{t(CLOSED[closed])}</p>
      ) : user ? (
        <div className="max-w-prose">
          <Composer
            // Each account has its own drafts.
            key={user.id}
            label={t('yourComment')}
            userId={user.id}
            field={COMMENT_FIELD}
            draft={draftName(event.id)}
            submitLabel={t('post')}
            pending={send.isPending}
            error={send.error}
            onSubmit={(text, { putBack }) =>
              send.mutate({ text, onRefused: putBack }, { onSuccess: () => say(t('posted')) })
            }
          />
        </div>
      ) : (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="text-ink-soft">{t('askSomething')}</span>
          <ButtonLink variant="secondary" to={signInPath(`/event/${event.id}#comments`)}>
            {t('signIn')}
          </ButtonLink>
        </p>
      )}
      {isModerator && (
        <p>
          <TextLink to="/reported-comments" className="font-strong">
            {t('reportedAndHidden')}
          </TextLink>
        </p>
      )}
      {threads.length === 0 ? (
        !closed && <p className="text-ink-soft">{t('none')}</p>
      ) : (
        <ol aria-label={t('list')} className="grid gap-6">
          {threads.map((thread) => (
            <li key={thread.id} className="border-t border-line pt-5">
              <Thread thread={thread} section={section} />
            </li>
          ))}
        </ol>
      )}
      {found.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-start"
          pending={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {t('showMore')}
        </Button>
      )}
      <Failure of={found.isFetchNextPageError && found.error} className="text-note" />
      {chosen && isReporting && (
        <ReportDialog
          title={t('reportThis')}
          send={(body) => reportComment(chosen.id, body)}
          onClose={() => setReporting(false)}
          onReported={() => {
            setReporting(false);
            setReported((before) => new Set([...before, chosen.id]));
            say(t('reportedNow'));
            toast({
              title: t('thanks'),
              description: t('thanksWhy'),
              at: `/event/${event.id}`,
            });
          }}
        />
      )}
      {chosen && isDeleting && (
        <ConfirmDialog
          title={t('deleteYours')}
          action={t('delete')}
          keep={t('keepIt')}
          onClose={() => setDeleting(false)}
          // The comment is removed optimistically, and restored if the server refuses.
          mutation={{
            isPending: false,
            error: null,
            mutate: () => {
              isDeleted.current = true;
              setDeleting(false);
              remove.mutate(chosen);
            },
          }}
        >
          <p>{t('deleteWhy')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

const CommentsLoading = () => (
  <Loading label={useTexts(texts)('loading')} className="grid gap-5">
    <Skeleton className="h-28 max-w-prose rounded-md" />
    <Skeleton className="h-20 max-w-prose rounded-md" />
  </Loading>
);
