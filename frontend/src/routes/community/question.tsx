import type { QuestionThread } from '@beltway/contracts/realtime/community';
import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useRef } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { AnswerCard } from '../../features/community/answer-card.tsx';
import { AnswerForm } from '../../features/community/answer-form.tsx';
import { useNames } from '../../features/community/person.ts';
import { QuestionCard } from '../../features/community/question-card.tsx';
import { useQuestionDialogs } from '../../features/community/question-dialogs.tsx';
import { texts } from '../../features/community/questions.texts.en.ts';
import { questionQuery } from '../../features/community/questions.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain, HttpError } from '../../lib/http/http.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx';

const shape = 'page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 py-6 lg:py-10';

/** One question with its answers: where notifications lead (docs/product.md#message-board). */
export function Component() {
  const t = useTexts(texts);
  const nameOf = useNames();
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useInfiniteQuery({ ...questionQuery(id), enabled: isId });
  const thread = found.data?.pages[0];
  usePageTitle(thread ? t('questionBy', { name: nameOf(thread.question) }) : t('question'));
  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <div className={shape}>
        <EmptyState
          heading="h1"
          title={t('notFound')}
          action={<ButtonLink to="/community/questions">{t('seeAll')}</ButtonLink>}
        >
          {t('notFoundWhy')}
        </EmptyState>
      </div>
    );
  if (thread) return <Thread found={found} thread={thread} />;
  if (found.isError)
    return (
      <div className={shape}>
        <ErrorState
          heading="h1"
          title={t('notLoaded')}
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </div>
    );
  return (
    <Loading label={t('loading')} className={shape}>
      <Skeleton className="h-48 rounded-lg" />
    </Loading>
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
    <div className={shape}>
      <p>
        <Link
          to="/community/questions"
          className="inline-flex min-h-11 items-center gap-2 underline-offset-4 hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {t('title')}
        </Link>
      </p>
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
    </div>
  );
}
