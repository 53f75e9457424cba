import { questionPath, QuestionCategory, type Question } from '@beltway/contracts/community';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessageCircleQuestion, Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { CATEGORIES } from '../features/community/categories.ts';
import { CommunityNav } from '../features/community/community-nav.tsx';
import { PlaceField } from '../features/community/place-field.tsx';
import { QuestionCard } from '../features/community/question-card.tsx';
import { QuestionDialog } from '../features/community/question-dialog.tsx';
import { useQuestionDialogs, type QuestionActions } from '../features/community/question-dialogs.tsx';
import { questionsQuery, type Board } from '../features/community/questions.ts';
import { useDialogEntry } from '../lib/dialog-entry.ts';
import { eventQuery } from '../lib/event-queries.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { PagedList } from '../lib/paged-list.tsx';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Characters of a search, at most (`QuestionsQuery`). */
const MAX_SEARCH = 100;
const ID = /^[1-9]\d{0,9}$/;

/** The part of the board that an address names; what it does not understand is left out. */
function boardOf(params: URLSearchParams): Board {
  const [event, answered] = [params.get('event') ?? '', params.get('answered')];
  return {
    q: (params.get('q') ?? '').trim().slice(0, MAX_SEARCH),
    category: QuestionCategory.safeParse(params.get('category')).data ?? '',
    place: params.get('place') ?? '',
    event: ID.test(event) ? event : '',
    answered: answered === 'true' || answered === 'false' ? answered : '',
  };
}

/** The message board: questions about events and places, searched and narrowed (docs/product.md#message-board). */
export function Component() {
  usePageTitle('Questions');
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const [params, setParams] = useSearchParams();
  const board = boardOf(params);
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAsking, setAsking] = useDialogEntry('ask');
  const [asked, setAsked] = useState<Question | null>(null);
  const focus = () => heading.current?.focus({ preventScroll: true });
  const { actions, dialogs } = useQuestionDialogs({ onRemoved: focus, onBlocked: focus });
  const change = (name: 'q' | 'category' | 'place' | 'answered', value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { preventScrollReset: true });
  };
  return (
    <div className="page grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 py-6 lg:py-10">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
            Questions
          </h1>
          <p className="mt-1 text-ink-soft">Ask about an event or a place; who knows it answers.</p>
        </div>
        {user ? (
          <Button onClick={() => setAsking(true)}>
            <MessageCircleQuestion aria-hidden className="size-4" />
            Ask a question
          </Button>
        ) : (
          <ButtonLink to={signInPath(`${pathname}${search}#ask`)}>Sign in to ask</ButtonLink>
        )}
      </header>
      <CommunityNav />
      <div className="grid gap-4">
        <SearchForm key={board.q} q={board.q} onSearch={(q) => change('q', q)} />
        <div className="grid gap-3 min-[22rem]:grid-cols-2 sm:grid-cols-3">
          <Field label="Category">
            <Select value={board.category} onChange={({ target }) => change('category', target.value)}>
              <option value="">All</option>
              {Object.entries(CATEGORIES).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Show">
            <Select value={board.answered} onChange={({ target }) => change('answered', target.value)}>
              <option value="">All questions</option>
              <option value="false">Unanswered</option>
              <option value="true">Answered</option>
            </Select>
          </Field>
          <PlaceField
            label="Place"
            className="min-[22rem]:max-sm:col-span-2"
            none="Everywhere"
            value={board.place}
            onChange={(place) => change('place', place)}
          />
        </div>
      </div>
      <p role="status" className={asked ? 'rounded-md bg-success-soft px-4 py-1 text-success-ink' : 'sr-only'}>
        {asked && (
          <>
            Your question is there.{' '}
            <Link
              to={questionPath(asked.id)}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              See it
            </Link>
          </>
        )}
      </p>
      {board.event && <AboutEvent id={Number(board.event)} />}
      <Questions board={board} actions={actions} />
      {isAsking && user && (
        <QuestionDialog
          userId={user.id}
          about={{ eventId: board.event, place: board.place, category: board.category }}
          onClose={() => setAsking(false)}
          onSaved={(question) => {
            setAsked(question);
            setAsking(false);
          }}
        />
      )}
      {dialogs}
    </div>
  );
}

function SearchForm({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(q);
  return (
    <form
      role="search"
      aria-label="Questions"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Field label="Words of the question">
        <div className="flex gap-2">
          <Input
            type="search"
            maxLength={MAX_SEARCH}
            value={typed}
            className="min-w-0"
            onChange={({ target }) => {
              setTyped(target.value);
              // The browser's own cross empties it: all are shown again.
              if (target.value === '' && q) onSearch('');
            }}
          />
          <Button type="submit" variant="secondary" aria-label="Search" className="px-4">
            <Search aria-hidden className="size-4" />
          </Button>
        </div>
      </Field>
    </form>
  );
}

function AboutEvent({ id }: { id: number }) {
  const { data: event } = useQuery(eventQuery(id));
  return (
    <p className="flex flex-wrap items-center gap-x-4">
      <span className="[overflow-wrap:anywhere]">
        Questions about{' '}
        <Link to={`/event/${id}`} className="inline-flex min-h-11 items-center underline underline-offset-4">
          {event?.title ?? 'one event'}
        </Link>
      </span>
      <Link to="/community/questions" className="inline-flex min-h-11 items-center underline underline-offset-4">
        Show all questions
      </Link>
    </p>
  );
}

function Questions({ board, actions }: { board: Board; actions: QuestionActions }) {
  const found = useInfiniteQuery(questionsQuery(board));
  const isNarrow = Object.values(board).some(Boolean);
  return (
    <PagedList
      found={found}
      items={found.data?.pages.flatMap(({ items }) => items)}
      what="questions"
      skeleton={{ className: 'h-36', of: 'cards' }}
      empty={
        <EmptyState title={isNarrow ? 'No such questions' : 'No questions yet'}>
          {isNarrow ? 'Nobody has asked what you look for.' : 'What people ask is shown here. Be the first.'}
        </EmptyState>
      }
    >
      {(listed) => (
        <ul aria-label="Questions" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {listed.map((question) => (
            <li key={question.id}>
              <QuestionCard question={question} actions={actions} isOfEvent={board.event !== ''} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}
