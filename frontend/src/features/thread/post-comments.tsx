import {
  MAX_POST_COMMENT,
  PostCommentBody,
  type PostComment,
  type SocialPost,
} from '@beltway/contracts/realtime/community';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Composer } from './composer.tsx';
import { postCommentsQuery, removeComment, useShownPosts, writeComment } from './posts-api.ts';
import type { Reportable } from '../../lib/report/report-content-dialog.tsx';
import { useNames, type Person } from './person.ts';
import { PersonName } from './person-name.tsx';
import { useRetryKey } from './retry-key.ts';
import { texts } from './texts.en.ts';
import { When, Words } from './words.tsx';

interface PostCommentsProps {
  post: SocialPost;
  onBlock: (person: Person) => void;
  onReport: (what: Reportable) => void;
}

/** The comments of a post, oldest first, and the form. */
export function PostComments({ post, onBlock, onReport }: PostCommentsProps) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const found = useInfiniteQuery(postCommentsQuery(post.id));
  const region = useRef<HTMLElement>(null);
  const comments = found.data?.pages.flatMap(({ items }) => items);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('commentsOn', { name: nameOf(post) })}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line pb-3 pt-3 outline-none"
    >
      <PagedList
        found={found}
        items={comments}
        what={t('whatComments')}
        skeleton={{ className: 'h-14', of: 'rows' }}
        empty={<p className="text-ink-soft">{t('noComments')}</p>}
      >
        {(listed) => (
          <ul className="grid gap-3">
            {listed.map((comment) => (
              <li key={comment.id}>
                <Comment
                  comment={comment}
                  onBlock={onBlock}
                  onReport={onReport}
                  onRemoved={() => region.current?.focus()}
                />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {user ? (
        <CommentForm post={post} userId={user.id} />
      ) : (
        <p>
          <TextLink to={signInPath(pathname + search)}>{t('signInToComment')}</TextLink>
        </p>
      )}
    </section>
  );
}

interface CommentProps {
  comment: PostComment;
  onBlock: (person: Person) => void;
  onReport: (what: Reportable) => void;
  /** Called after the comment was removed, to move the focus. */
  onRemoved: () => void;
}

function Comment({ comment, onBlock, onReport, onRemoved }: CommentProps) {
  const t = useTexts(texts);
  const { user } = useSession();
  const queries = useQueryClient();
  const shown = useShownPosts();
  const [isAsked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => removeComment(comment),
    onSuccess: () => {
      onRemoved();
      shown.change(comment.postId, (one) => ({ ...one, comments: Math.max(0, one.comments - 1) }));
      return queries.invalidateQueries({ queryKey: postCommentsQuery(comment.postId).queryKey });
    },
  });
  const name = useNames()(comment);
  const small = 'px-3! text-note';
  return (
    <article aria-label={t('commentBy', { name })} className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2">
        <PersonName person={comment} name={name} />
        <When at={comment.createdAt} />
      </p>
      <Words>{comment.text}</Words>
      {user && (
        <p className="-ml-3 flex flex-wrap">
          {comment.mayRemove && !isAsked && (
            <Button variant="quiet" className={small} onClick={() => setAsked(true)}>
              {comment.isOwn ? t('delete') : t('hide')}
            </Button>
          )}
          {isAsked && (
            <>
              <Button
                variant="danger"
                className={small}
                pending={remove.isPending}
                autoFocus
                onClick={() => remove.mutate()}
              >
                {comment.isOwn ? t('deleteComment') : t('hideComment')}
              </Button>
              <Button variant="quiet" className={small} onClick={() => setAsked(false)}>
                {t('keepIt')}
              </Button>
            </>
          )}
          {!comment.isOwn && !isAsked && (
            <Button
              variant="quiet"
              className={small}
              onClick={() => onReport({ kind: 'post-comment', id: comment.id })}
            >
              {t('report')}
            </Button>
          )}
          {!comment.isOwn && !isAsked && (
            <Button variant="quiet" className={small} onClick={() => onBlock(comment)}>
              <span className="wrap-anywhere">{t.rich('blockPerson', { person: () => <bdi>{name}</bdi> })}</span>
            </Button>
          )}
        </p>
      )}
      <Failure of={remove.error} className="text-note" />
    </article>
  );
}

function CommentForm({ post, userId }: { post: SocialPost; userId: number }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const shown = useShownPosts();
  const retryKey = useRetryKey();
  const draft = `post-comment-${post.id}`;
  const send = useMutation({
    mutationFn: (text: string) => writeComment(post.id, text, retryKey.of(text)),
    onSuccess: () => {
      retryKey.forget();
      drafts.drop(draft);
      shown.change(post.id, (one) => ({ ...one, comments: one.comments + 1 }));
      return queries.invalidateQueries({ queryKey: postCommentsQuery(post.id).queryKey });
    },
  });
  return (
    <Composer
      label={t('writeComment')}
      userId={userId}
      draft={draft}
      field={{ name: 'text', schema: PostCommentBody.shape.text, max: MAX_POST_COMMENT }}
      rows={2}
      nearlyFull={100}
      keepsWords
      submitLabel={send.isPending ? t('sending') : t('comment')}
      pending={send.isPending}
      error={send.error}
      onSubmit={(text, { empty }) => send.mutate(text, { onSuccess: empty })}
    />
  );
}
