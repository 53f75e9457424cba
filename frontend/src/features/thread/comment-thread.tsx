import type { CommentThread } from '@beltway/contracts/realtime/comments';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { COMMENT_FIELD, nextAnswers, shownComments } from './comments-api.ts';
import { CommentItem, type Section } from './comment-item.tsx';
import { Composer } from './composer.tsx';
import { texts } from './comments.texts.en.ts';
import { useOnClose } from './use-on-close.ts';
import { draftName, useSend } from './use-send.ts';

/** A comment, its answers, and the answer form. */
export function Thread({ thread, section }: { thread: CommentThread; section: Section }) {
  const t = useTexts(texts);
  const { event, user, say } = section;
  const queries = useQueryClient();
  const [answering, setAnswering] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const send = useSend({ event, user, answerTo: thread.id });
  const more = useMutation({
    mutationFn: () => nextAnswers(thread),
    onSuccess: (page) => shownComments(queries, event.id).addAnswers(thread.id, page),
    onError: (error) => toast({ title: t('noMoreAnswers'), description: explain(error), variant: 'destructive' }),
  });
  const left = thread.answerCount - thread.answers.length;
  // Returns the focus to the comment's first button, which opened the form.
  useOnClose(answering !== null, () => place.current?.querySelector('button')?.focus());
  const submit = (text: string) => {
    setAnswering(null);
    send.mutate({ text, onRefused: () => setAnswering(text) }, { onSuccess: () => say(t('answerPosted')) });
  };
  const draft = draftName(event.id, thread.id);
  return (
    <div ref={place}>
      <CommentItem
        comment={thread}
        section={section}
        onAnswer={() => {
          send.reset();
          setAnswering('');
        }}
      />
      {(thread.answers.length > 0 || answering !== null) && (
        <div className="mt-2 grid gap-3 border-l-2 border-line pl-4 sm:ml-2 sm:pl-5">
          {thread.answers.length > 0 && (
            <ul aria-label={t('answers')} className="grid gap-3">
              {thread.answers.map((answer) => (
                <li key={answer.id}>
                  <CommentItem comment={answer} section={section} />
                </li>
              ))}
            </ul>
          )}
          {left > 0 && (
            <Button
              variant="quiet"
              className="-ml-3 justify-self-start px-3! text-note"
              pending={more.isPending}
              onClick={() => more.mutate()}
            >
              {t('moreAnswers', { count: left })}
            </Button>
          )}
          {answering !== null && user && (
            <Composer
              label={thread.author ? t('yourAnswerTo', { name: thread.author.name }) : t('yourAnswer')}
              userId={user.id}
              field={COMMENT_FIELD}
              draft={draft}
              initial={answering}
              submitLabel={t('answer')}
              pending={send.isPending}
              error={send.error}
              onSubmit={submit}
              onCancel={() => {
                drafts.drop(draft);
                setAnswering(null);
              }}
            />
          )}
        </div>
      )}
    </div>
  );
}
