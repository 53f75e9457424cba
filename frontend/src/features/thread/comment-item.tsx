import type { Event } from '@beltway/contracts/catalog/events';
import type { Comment } from '@beltway/contracts/realtime/comments';
import type { User } from '@beltway/contracts/identity/accounts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { Age } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { formatMoment } from '../../lib/i18n/format.ts';
import { explain } from '../../lib/http/http.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { COMMENT_FIELD, editComment, isOutdated, moderateComment, shownComments } from './comments-api.ts';
import { Composer } from './composer.tsx';
import { texts } from './comments.texts.en.ts';
import { useOnClose } from './use-on-close.ts';
import { Words } from './words.tsx';

/** The section's data and functions that each comment uses. */
export interface Section {
  event: Event;
  user: User | null;
  isClosed: boolean;
  /** Announces a text to screen readers. */
  say: (text: string) => void;
  /** Moves the focus to the section, because the focused element was removed. */
  focus: () => void;
  onReport: (comment: Comment) => void;
  onDelete: (comment: Comment) => void;
  reported: ReadonlySet<number>;
}

const action = 'px-3! text-note';

interface CommentItemProps {
  comment: Comment;
  section: Section;
  /** Opens the answer form. Undefined for a comment that is itself an answer. */
  onAnswer?: () => void;
}

/** One comment or answer: its author, time and actions, and its text exactly as typed. */
export function CommentItem({ comment, section, onAnswer }: CommentItemProps) {
  const t = useTexts(texts);
  const { event, user, isClosed, say } = section;
  const [editing, setEditing] = useState<string | null>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const queries = useQueryClient();
  const { id, author, text, state } = comment;
  const draft = `comment-edit-${id}`;
  const shown = shownComments(queries, event.id);
  useOnClose(editing !== null, () => editButton.current?.focus());

  const edit = useMutation({
    mutationFn: async (words: string) => {
      void shown.hold();
      shown.replace(id, { text: words, editedAt: new Date().toISOString() });
      shown.replace(id, await editComment(id, words));
    },
    onSuccess: () => {
      drafts.drop(draft);
      say(t('changedNow'));
    },
    onError: (error, words) => {
      shown.replace(id, { text, editedAt: comment.editedAt });
      setEditing(words);
      if (isOutdated(error)) void shown.refresh();
    },
  });
  const hide = useMutation({
    mutationFn: async () => {
      void shown.hold();
      const putBack = shown.remove(comment, 'hidden');
      section.focus();
      await moderateComment(id, 'hide').catch((error: unknown) => {
        putBack();
        throw error;
      });
    },
    onSuccess: () => toast({ title: t('hiddenNow'), description: t('hiddenWhy') }),
    onError: (error) => toast({ title: t('notHidden'), description: explain(error), variant: 'destructive' }),
  });

  if (state !== 'shown' || text === null || author === null)
    return <p className="py-2 text-ink-soft italic">{t(state === 'hidden' ? 'hiddenByModerator' : 'deletedNow')}</p>;

  const isOwn = user?.id === author.id;
  const isSent = id > 0;
  const mayModerate = user?.id === event.userId || user?.role === 'admin';
  const isReported = section.reported.has(id);
  return (
    <article aria-label={t(onAnswer ? 'commentBy' : 'answerBy', { name: author.name })} className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi className="font-strong wrap-anywhere">{author.name}</bdi>
        {comment.isOrganizer && <Badge tone="accent">{t('organizer')}</Badge>}
        <span className="text-note text-ink-soft">
          {isSent ? (
            <time dateTime={comment.createdAt} title={formatMoment(comment.createdAt)}>
              <Age of={comment.createdAt} />
            </time>
          ) : (
            t('sending')
          )}
          {comment.editedAt && (
            <>
              {' · '}
              <span title={formatMoment(comment.editedAt)}>{t('edited')}</span>
            </>
          )}
        </span>
      </p>
      {editing === null ? (
        <Words className="mt-1">{text}</Words>
      ) : (
        <div className="mt-2 max-w-prose">
          <Composer
            label={t('changeYours')}
            userId={author.id}
            field={COMMENT_FIELD}
            draft={draft}
            initial={editing}
            submitLabel={t('save')}
            error={edit.error}
            onSubmit={(words) => {
              setEditing(null);
              edit.mutate(words);
            }}
            onCancel={() => {
              drafts.drop(draft);
              setEditing(null);
            }}
          />
        </div>
      )}
      {user && isSent && editing === null && (
        <p className="-ml-3 flex flex-wrap">
          {onAnswer && !isClosed && <Act onClick={onAnswer}>{t('answer')}</Act>}
          {isOwn && !isClosed && (
            <Button
              ref={editButton}
              variant="quiet"
              className={action}
              onClick={() => {
                edit.reset();
                setEditing(text);
              }}
            >
              {t('edit')}
            </Button>
          )}
          {isOwn && <Act onClick={() => section.onDelete(comment)}>{t('delete')}</Act>}
          {!isOwn && (
            <Act disabled={isReported} onClick={() => section.onReport(comment)}>
              {t(isReported ? 'reported' : 'report')}
            </Act>
          )}
          {mayModerate && !isOwn && <Act onClick={() => hide.mutate()}>{t('hide')}</Act>}
        </p>
      )}
    </article>
  );
}

const Act = (props: { onClick: () => void; disabled?: boolean; children: ReactNode }) => (
  <Button variant="quiet" className={action} {...props} />
);
