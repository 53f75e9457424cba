import { questionPath, QuestionCategory, type Question } from '@beltway/contracts/realtime/community';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark';
import Search from 'lucide-react/icons/search';
import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { CommunityNav } from '../../features/thread/community-nav.tsx';
import { PlaceField } from '../../features/thread/place-field.tsx';
import { QuestionCard } from '../../features/thread/question-card.tsx';
import { QuestionDialog } from '../../features/thread/question-dialog.tsx';
import { useQuestionDialogs, type QuestionActions } from '../../features/thread/question-dialogs.tsx';
import { texts as questionTexts } from '../../features/thread/questions.texts.en.ts';
import { questionsQuery, type Board } from '../../features/thread/questions-api.ts';
import { texts } from '../../features/thread/texts.en.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { eventQuery } from '../../lib/events/event-queries.ts';
import { usePageTitle } from '../../lib/navigation/page-title.ts';
import { PagedList } from '../../lib/lists/paged-list.tsx';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** Maximum length of a search, in characters (`QuestionsQuery`). */
const MAX_SEARCH = 100;
const ID = /^[1-9]\d{0,9}$/;

/** Reads the board's filters from the URL and ignores invalid parameters. */
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

/**
 * The message board: questions about events and places, with search and filters
 * (services/realtime/PRODUCT.md#message-board).
 */
export function Component() {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  usePageTitle(t('title'));
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
    <Page
      title={t('title')}
      intro={t('lead')}
      actions={
        user ? (
          <Button onClick={() => setAsking(true)}>
            <MessageCircleQuestion aria-hidden className="size-4" />
            {t('ask')}
          </Button>
        ) : (
          <ButtonLink to={signInPath(`${pathname}${search}#ask`)}>{t('signInToAsk')}</ButtonLink>
        )
      }
      width="text"
      heading={heading}
    >
      <CommunityNav />
      <div className="grid gap-4">
        <SearchForm key={board.q} q={board.q} onSearch={(q) => change('q', q)} />
        <div className="grid gap-3 min-[22rem]:grid-cols-2 sm:grid-cols-3">
          <Field label={t('category')}>
            <Select value={board.category} onChange={({ target }) => change('category', target.value)}>
              <option value="">{t('all')}</option>
              {QuestionCategory.options.map((value) => (
                <option key={value} value={value}>
                  {t(value)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={say('show')}>
            <Select value={board.answered} onChange={({ target }) => change('answered', target.value)}>
              <option value="">{t('allQuestions')}</option>
              <option value="false">{t('unanswered')}</option>
              <option value="true">{t('answeredOnes')}</option>
            </Select>
          </Field>
          <PlaceField
            label={say('place')}
            className="min-[22rem]:max-sm:col-span-2"
            none={say('everywhere')}
            value={board.place}
            onChange={(place) => change('place', place)}
          />
        </div>
      </div>
      <p role="status" className={asked ? 'rounded-md bg-success-soft px-4 py-1 text-success-ink' : 'sr-only'}>
        {asked &&
          t.rich('questionThere', {
            link: (words) => (
              <Link
                to={questionPath(asked.id)}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {words}
              </Link>
            ),
          })}
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
    </Page>
  );
}

function SearchForm({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const t = useTexts(questionTexts);
  const [typed, setTyped] = useState(q);
  return (
    <form
      role="search"
      aria-label={t('title')}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === '' && q === '') event.currentTarget.querySelector('input')?.focus();
        else onSearch(typed.trim());
      }}
    >
      <Field label={t('words')}>
        <div className="flex gap-2">
          <Input
            type="search"
            maxLength={MAX_SEARCH}
            value={typed}
            className="min-w-0"
            onChange={({ target }) => {
              setTyped(target.value);
              // The browser's clear button emptied the field, so show all questions again.
              if (target.value === '' && q) onSearch('');
            }}
          />
          <Button type="submit" variant="secondary" aria-label={t('search')} className="px-4">
            <Search aria-hidden className="size-4" />
          </Button>
        </div>
      </Field>
    </form>
  );
}

function AboutEvent({ id }: { id: number }) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const { data: event } = useQuery(eventQuery(id));
  return (
    <p className="flex flex-wrap items-center gap-x-4">
      <span className="wrap-anywhere">
        {t.rich('questionsAbout', {
          event: event?.title ?? say('oneEvent'),
          link: (words) => (
            <Link to={`/event/${id}`} className="inline-flex min-h-11 items-center underline underline-offset-4">
              {words}
            </Link>
          ),
        })}
      </span>
      <Link to="/community/questions" className="inline-flex min-h-11 items-center underline underline-offset-4">
        {t('showAll')}
      </Link>
    </p>
  );
}

function Questions({ board, actions }: { board: Board; actions: QuestionActions }) {
  const t = useTexts(questionTexts);
  const found = useInfiniteQuery(questionsQuery(board));
  const isNarrow = Object.values(board).some(Boolean);
  return (
    <PagedList
      found={found}
      items={found.data?.pages.flatMap(({ items }) => items)}
      what={t('whatQuestions')}
      skeleton={{ className: 'h-36', of: 'cards' }}
      empty={
        <EmptyState title={isNarrow ? t('noSuch') : t('none')}>{isNarrow ? t('noSuchWhy') : t('noneWhy')}</EmptyState>
      }
    >
      {(listed) => (
        <ul aria-label={t('title')} className="grid grid-cols-[minmax(0,1fr)] gap-4">
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
