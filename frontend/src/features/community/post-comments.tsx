import {
  MAX_POST_COMMENT,
  PostCommentBody,
  type PostComment,
  type SocialPost,
} from '@beltway/contracts/realtime/community';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { z } from 'zod';
import { Age } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { postCommentsQuery, removeComment, useShownPosts, writeComment } from './api.ts';
import { explainWrite } from './explain-write.ts';
import { useNames, type Person, type Reportable } from './person.ts';
import { PersonName } from './person-name.tsx';
import { useRetryKey } from './retry-key.ts';
import { texts } from './texts.en.ts';

interface PostCommentsProps {
  post: SocialPost;
  onBlock: (person: Person) => void;
  onReport: (what: Reportable) => void;
}

/** What is said below a post, oldest first, and the field to say something. */
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
          <Link
            to={signInPath(pathname + search)}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {t('signInToComment')}
          </Link>
        </p>
      )}
    </section>
  );
}

interface CommentProps {
  comment: PostComment;
  onBlock: (person: Person) => void;
  onReport: (what: Reportable) => void;
  /** Takes the focus from what is gone. */
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
        <time dateTime={comment.createdAt} title={formatMoment(comment.createdAt)} className="text-note text-ink-soft">
          <Age of={comment.createdAt} />
        </time>
      </p>
      <p dir="auto" className="max-w-prose whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
        {comment.text}
      </p>
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
      {remove.error && (
        <p role="alert" className="text-note text-danger-ink">
          {explain(remove.error)}
        </p>
      )}
    </article>
  );
}

/** With fewer characters left it is said how many. */
const NEARLY_FULL = 100;

function CommentForm({ post, userId }: { post: SocialPost; userId: number }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const shown = useShownPosts();
  const ref = useRef<HTMLFormElement>(null);
  const retryKey = useRetryKey();
  const draft = `post-comment-${post.id}`;
  const send = useMutation({
    mutationFn: ({ text }: PostCommentBody) => {
      return writeComment(post.id, text, retryKey.of(text));
    },
    onSuccess: () => {
      retryKey.forget();
      drafts.drop(draft);
      form.reset({ text: '' });
      shown.change(post.id, (one) => ({ ...one, comments: one.comments + 1 }));
      return queries.invalidateQueries({ queryKey: postCommentsQuery(post.id).queryKey });
    },
  });
  const form = useFields({
    schema: PostCommentBody,
    initial: { text: drafts.read(draft, userId, z.string()) ?? '' },
    onChange: ({ text }) => {
      if (text) drafts.write(draft, userId, text);
      else drafts.drop(draft);
    },
    onSubmit: (checked) => send.mutate(checked),
    error: send.error,
  });
  const left = MAX_POST_COMMENT - form.values.text.length;
  return (
    <form {...form.props} ref={ref} aria-label={t('writeComment')} className="grid gap-2">
      <TextField
        {...form.bind('text')}
        label={t('writeComment')}
        as={Textarea}
        rows={2}
        dir="auto"
        onKeyDown={(press) => {
          if (press.key === 'Enter' && (press.metaKey || press.ctrlKey)) ref.current?.requestSubmit();
        }}
        {...(left < NEARLY_FULL && { hint: t('charactersLeft', { count: Math.max(0, left) }) })}
      />
      {form.failure && (
        <p role="alert" className="text-note text-danger-ink">
          {explainWrite(form.failure)}
        </p>
      )}
      <Button type="submit" variant="secondary" pending={send.isPending} className="justify-self-end">
        {send.isPending ? t('sending') : t('comment')}
      </Button>
    </form>
  );
}
