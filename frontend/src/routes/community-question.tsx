import { AnswerBody, type Answer, type Question } from '@beltway/contracts/community';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { nameOf } from '../features/community/person.ts';
import {
  acceptAnswer,
  followQuestion,
  likeAnswer,
  likeQuestion,
  questionQuery,
  writeAnswer,
} from '../features/community/questions.ts';
import { useFields } from '../lib/form.ts';
import { formatAge, formatMoment } from '../lib/format.ts';
import { explain, HttpError } from '../lib/http.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { randomUuid } from '../lib/random-uuid.ts';
import { signInPath } from '../lib/return-path.ts';
import { serverNow } from '../lib/server-clock.ts';
import { useSession } from '../lib/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Textarea, TextField } from '../ui/field.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toast.ts';

const shape = 'page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 py-6 lg:py-10';

/** One question with its answers: where notifications lead (docs/product.md#message-board). */
export function Component() {
  const id = Number(useParams()['id']);
  const isId = Number.isInteger(id) && id > 0;
  const found = useInfiniteQuery({ ...questionQuery(id), enabled: isId });
  const thread = found.data?.pages[0];
  usePageTitle(thread ? `Question by ${nameOf(thread.question)}` : 'Question');
  if (!isId || (found.error instanceof HttpError && found.error.status === 404))
    return (
      <div className={shape}>
        <EmptyState
          heading="h1"
          title="Question Not Found"
          action={<ButtonLink to="/community">See the community</ButtonLink>}
        >
          It was deleted, or you cannot see it.
        </EmptyState>
      </div>
    );
  if (thread)
    return (
      <div className={shape}>
        <p>
          <Link to="/community" className="inline-flex min-h-11 items-center gap-2 underline-offset-4 hover:underline">
            <ArrowLeft aria-hidden className="size-4" />
            Community
          </Link>
        </p>
        <Asked question={thread.question} />
        {thread.accepted && (
          <section aria-label="The answer that helped" className="grid gap-2">
            <h2 className="text-title">The answer that helped</h2>
            <AnswerCard answer={thread.accepted} question={thread.question} />
          </section>
        )}
        <section aria-label="Answers" className="grid gap-3">
          <h2 className="text-title">Answers</h2>
          <PagedList
            found={found}
            items={found.data?.pages.flatMap(({ answers }) => answers.items)}
            what="answers"
            skeleton={{ className: 'h-20', of: 'rows' }}
            empty={<p className="text-ink-soft">No answers yet.</p>}
          >
            {(listed) => (
              <ul className="grid gap-3">
                {listed.map((answer) => (
                  <li key={answer.id}>
                    <AnswerCard answer={answer} question={thread.question} />
                  </li>
                ))}
              </ul>
            )}
          </PagedList>
        </section>
        <AnswerForm question={thread.question} />
      </div>
    );
  if (found.isError)
    return (
      <div className={shape}>
        <ErrorState
          heading="h1"
          title="This question could not be loaded"
          message={explain(found.error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      </div>
    );
  return (
    <Loading label="The question is loading" className={shape}>
      <Skeleton className="h-48 rounded-lg" />
    </Loading>
  );
}

/** Does one thing of a question or its answers, and asks for both anew. */
function useChange(questionId: number, change: (wanted: boolean) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onError: (error) => toast({ title: 'Not saved', description: explain(error), variant: 'destructive' }),
    onSettled: () => queries.invalidateQueries({ queryKey: questionQuery(questionId).queryKey }),
  });
}

function Toggle({
  change,
  isOn,
  children,
}: {
  change: ReturnType<typeof useChange>;
  isOn: boolean;
  children: ReactNode;
}) {
  return (
    <Button variant="quiet" aria-pressed={isOn} pending={change.isPending} onClick={() => change.mutate(!isOn)}>
      {children}
    </Button>
  );
}

const words = 'max-w-prose whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]';

const Written = ({ by, at, children }: { by: string; at: string; children?: ReactNode }) => (
  <p className="flex flex-wrap items-center gap-x-2">
    <bdi className="font-strong [overflow-wrap:anywhere]">{by}</bdi>
    {children}
    <time dateTime={at} title={formatMoment(at)} className="text-note text-ink-soft">
      {formatAge(at, new Date(serverNow()))}
    </time>
  </p>
);

function Asked({ question }: { question: Question }) {
  const { user } = useSession();
  const like = useChange(question.id, (wanted) => likeQuestion(question.id, wanted));
  const follow = useChange(question.id, (wanted) => followQuestion(question.id, wanted));
  const place = question.location && `${question.location.name}, ${question.location.state}`;
  return (
    <article className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <Written by={nameOf(question)} at={question.createdAt} />
      <h1 dir="auto" className={`text-heading ${words}`}>
        {question.question}
      </h1>
      {(place ?? question.eventId) !== null && (
        <p className="flex flex-wrap gap-x-3 text-ink-soft">
          {question.eventId !== null && question.eventTitle && (
            <Link to={`/event/${question.eventId}`} className="underline underline-offset-4">
              {question.eventTitle}
            </Link>
          )}
          {place && <span>{place}</span>}
        </p>
      )}
      {user ? (
        <p className="-ml-3 flex flex-wrap">
          <Toggle change={like} isOn={question.isLiked}>
            Helpful to ask ({question.likes})
          </Toggle>
          <Toggle change={follow} isOn={question.isFollowed}>
            {question.isFollowed ? 'Following' : 'Follow'}
          </Toggle>
        </p>
      ) : (
        <p className="text-ink-soft">{question.likes} find it helpful to ask</p>
      )}
    </article>
  );
}

function AnswerCard({ answer, question }: { answer: Answer; question: Question }) {
  const { user } = useSession();
  const like = useChange(question.id, (wanted) => likeAnswer(answer.id, wanted));
  const accept = useChange(question.id, (wanted) => acceptAnswer(answer.id, wanted));
  return (
    <article
      aria-label={`Answer by ${nameOf(answer)}`}
      className="grid min-w-0 gap-2 rounded-lg border border-line bg-surface p-4"
    >
      <Written by={nameOf(answer)} at={answer.createdAt}>
        {answer.isVerified && <span className="text-note text-accent-ink">Organiser</span>}
      </Written>
      <p dir="auto" className={words}>
        {answer.answer}
      </p>
      {user ? (
        <p className="-ml-3 flex flex-wrap">
          <Toggle change={like} isOn={answer.isLiked}>
            Like ({answer.likes})
          </Toggle>
          {question.isOwn && (
            <Toggle change={accept} isOn={answer.isAccepted}>
              This helped
            </Toggle>
          )}
        </p>
      ) : (
        <p className="text-note text-ink-soft">{answer.likes} likes</p>
      )}
    </article>
  );
}

function AnswerForm({ question }: { question: Question }) {
  const { user } = useSession();
  const { pathname } = useLocation();
  const queries = useQueryClient();
  // Sent again as it is, it is the same answer.
  const last = useRef({ answer: '', key: '' });
  const send = useMutation({
    mutationFn: ({ answer }: AnswerBody) => {
      if (last.current.answer !== answer) last.current = { answer, key: randomUuid() };
      return writeAnswer(question.id, answer, last.current.key);
    },
    onSuccess: () => {
      last.current = { answer: '', key: '' };
      form.reset({ answer: '' });
      return queries.invalidateQueries({ queryKey: questionQuery(question.id).queryKey });
    },
  });
  const form = useFields({
    schema: AnswerBody,
    initial: { answer: '' },
    onSubmit: (checked) => send.mutate(checked),
    error: send.error,
  });
  if (!user)
    return (
      <p>
        <Link to={signInPath(pathname)} className="inline-flex min-h-11 items-center underline underline-offset-4">
          Sign in to answer
        </Link>
      </p>
    );
  return (
    <form {...form.props} aria-label="Write an answer" className="grid gap-2">
      <TextField {...form.bind('answer')} label="Write an answer" as={Textarea} rows={3} dir="auto" />
      {form.failure && (
        <p role="alert" className="text-note text-danger-ink">
          {explain(form.failure)}
        </p>
      )}
      <Button type="submit" variant="secondary" pending={send.isPending} className="justify-self-end">
        {send.isPending ? 'Sending…' : 'Answer'}
      </Button>
    </form>
  );
}
