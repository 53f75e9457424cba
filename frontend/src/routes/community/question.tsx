import type { QuestionThread } from '@beltway/contracts/realtime/community';
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { AnswerCard } from '../../features/thread/answer-card.tsx';
import { AnswerForm } from '../../features/thread/answer-form.tsx';
import { OneThread } from '../../features/thread/one-thread.tsx';
import { useNames } from '../../features/thread/person.ts';
import { QuestionCard } from '../../features/thread/question-card.tsx';
import { useQuestionDialogs } from '../../features/thread/question-dialogs.tsx';
import { texts } from '../../features/thread/questions.texts.en.ts';
import { questionQuery } from '../../features/thread/questions-api.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';

/** One question with its answers, the target of notifications (services/realtime/PRODUCT.md#message-board). */
export function Component() {
  const t = useTexts(texts);
  const nameOf = useNames();
  const id = Number(useParams()['id']);
  const isPossible = Number.isInteger(id) && id > 0;
  const found = useInfiniteQuery({ ...questionQuery(id), enabled: isPossible });
  const thread = found.data?.pages[0];
  usePageTitle(thread ? t('questionBy', { name: nameOf(thread.question) }) : t('question'));
  const words = {
    list: t('title'),
    notFound: t('notFound'),
    notFoundWhy: t('notFoundWhy'),
    seeAll: t('seeAll'),
    notLoaded: t('notLoaded'),
    loading: t('loading'),
  };
  return (
    <OneThread {...{ found, isPossible, words }} list="/community/questions" height="h-48">
      {thread && <Thread found={found} thread={thread} />}
    </OneThread>
  );
}

interface ThreadProps {
  found: UseInfiniteQueryResult<InfiniteData<QuestionThread>>;
  thread: QuestionThread;
}

function Thread({ found, thread: { question, accepted } }: ThreadProps) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const leave = () => void navigate('/community/questions', { replace: true });
  const focus = () => heading.current?.focus({ preventScroll: true });
  const { actions, dialogs } = useQuestionDialogs({
    onRemoved: leave,
    onAnswerRemoved: focus,
    onBlocked: ({ userId }) => (userId === question.userId ? leave() : focus()),
  });
  return (
    <>
      <QuestionCard question={question} actions={actions} isAlone />
      {accepted && (
        <section aria-label={t('thatHelped')} className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-2">
          <h2 className="text-title">{t('thatHelped')}</h2>
          <AnswerCard answer={accepted} question={question} actions={actions} />
        </section>
      )}
      <section aria-label={t('answers')} className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-2">
        <h2 ref={heading} tabIndex={-1} className="text-title outline-none">
          {accepted ? t('otherAnswers') : t('answers')}
        </h2>
        <PagedList
          found={found}
          items={found.data?.pages.flatMap(({ answers }) => answers.items).filter(({ id }) => id !== accepted?.id)}
          what={t('whatAnswers')}
          skeleton={{ className: 'h-20', of: 'rows' }}
          empty={<p className="text-ink-soft">{accepted ? t('noOthers') : t('noAnswers')}</p>}
        >
          {(listed) => (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
              {listed.map((answer) => (
                <li key={answer.id}>
                  <AnswerCard answer={answer} question={question} actions={actions} />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </section>
      <AnswerForm question={question} />
      {dialogs}
    </>
  );
}
