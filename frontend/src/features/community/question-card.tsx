import { questionPath, type Question } from '@beltway/contracts/realtime/community';
import Bell from 'lucide-react/icons/bell';
import BellRing from 'lucide-react/icons/bell-ring';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Heart from 'lucide-react/icons/heart';
import MapPin from 'lucide-react/icons/map-pin';
import MessageCircle from 'lucide-react/icons/message-circle';
import Pin from 'lucide-react/icons/pin';
import type { ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { Age } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu-panel.tsx';
import { useNames } from './person.ts';
import { PersonName } from './person-name.tsx';
import type { QuestionActions } from './question-dialogs.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { usePinQuestion, useQuestionChoice } from './questions.ts';
import { texts } from './texts.en.ts';

interface QuestionCardProps {
  question: Question;
  actions: QuestionActions;
  /** It stands among the questions of its event: where pins of an event count. */
  isOfEvent?: boolean;
  /** It stands on a page of its own, above its answers. */
  isAlone?: boolean;
}

const act =
  'tabular inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-full px-3 font-strong hover:bg-sunken [&_svg]:size-5';
const chip =
  'inline-flex min-h-11 items-center gap-1.5 underline-offset-4 hover:underline [&_svg]:size-4 [&_svg]:shrink-0';
const words = 'whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]';

const hidden = (shown: ReactNode) => <span className="sr-only">{shown}</span>;

/** One question: who, when, its words, what it is about, how it stands, and what one may do with it. */
export function QuestionCard({ question, actions, isOfEvent = false, isAlone = false }: QuestionCardProps) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const { id, category, location, eventId, eventTitle, createdAt, editedAt, isPinned, isAnswered } = question;
  const name = useNames()(question);
  return (
    <article
      aria-label={t('questionBy', { name })}
      data-question={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line bg-raised px-4 pb-2 pt-3 sm:px-5"
    >
      <header className="flex items-start justify-between gap-2">
        <p className="flex min-h-11 min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          {isPinned && (isAlone || isOfEvent || eventId === null) && (
            <Badge>
              <Pin aria-hidden />
              {t('pinned')}
            </Badge>
          )}
          {isAnswered && <Badge tone="success">{t('answered')}</Badge>}
          <PersonName person={question} name={name} />
          <time dateTime={createdAt} title={formatMoment(createdAt)} className="text-note text-ink-soft">
            <Age of={createdAt} />
          </time>
          {editedAt && (
            <span className="text-note text-ink-soft" title={formatMoment(editedAt)}>
              {say('edited')}
            </span>
          )}
        </p>
        <More question={question} actions={actions} />
      </header>
      {isAlone ? (
        <h1 dir="auto" className={cx('text-heading', words)}>
          {question.question}
        </h1>
      ) : (
        <h2 dir="auto" className={cx('text-title', words)}>
          <Link to={questionPath(id)} className="underline-offset-4 hover:underline">
            {question.question}
          </Link>
        </h2>
      )}
      <p className="flex flex-wrap items-center gap-x-4 text-note text-ink-soft">
        <Link to={`/community/questions?category=${category}`} className={chip}>
          {t(category)}
        </Link>
        {eventId !== null && (
          <Link to={`/event/${eventId}`} className={chip}>
            <CalendarDays aria-hidden />
            <bdi className="wrap-anywhere">{eventTitle ?? say('eventNumber', { number: String(eventId) })}</bdi>
          </Link>
        )}
        {location && (
          <Link to={`/community/questions?place=${location.id}`} className={chip}>
            <MapPin aria-hidden />
            {say('placeIn', { name: location.name, state: location.state })}
          </Link>
        )}
      </p>
      <div className="-mx-3 flex flex-wrap items-center">
        <LikeButton question={question} />
        {!isAlone && (
          <Link to={questionPath(id)} className={act}>
            <MessageCircle aria-hidden />
            {t.rich('openAnswers', { name, number: formatCount(question.answers), count: question.answers, hidden })}
          </Link>
        )}
        {isAlone && <FollowButton question={question} />}
      </div>
    </article>
  );
}

/** Does what a press asks for; who is signed out signs in first. */
function useAsked(run: () => void): () => void {
  const { token } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return () => (token ? run() : void navigate(signInPath(pathname + search)));
}

function LikeButton({ question }: { question: Question }) {
  const t = useTexts(questionTexts);
  const name = useNames()(question);
  const { id, likes, isLiked } = question;
  const like = useQuestionChoice('like');
  const press = useAsked(() => like.mutate({ id, wanted: !isLiked }));
  return (
    <button type="button" aria-pressed={isLiked} disabled={like.isPending} onClick={press} className={act}>
      <Heart aria-hidden className={cx(isLiked && 'fill-accent text-accent-ink')} />
      {t.rich('likeQuestion', { name, number: formatCount(likes), count: likes, hidden })}
    </button>
  );
}

function FollowButton({ question: { id, isFollowed } }: { question: Question }) {
  const t = useTexts(questionTexts);
  const follow = useQuestionChoice('follow');
  const press = useAsked(() => follow.mutate({ id, wanted: !isFollowed }));
  const Icon = isFollowed ? BellRing : Bell;
  return (
    <button
      type="button"
      aria-pressed={isFollowed}
      disabled={follow.isPending}
      onClick={press}
      className={cx(act, isFollowed && 'text-accent-ink')}
    >
      <Icon aria-hidden />
      {isFollowed ? t('following') : t('follow')}
    </button>
  );
}

function More({ question, actions }: { question: Question; actions: QuestionActions }) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const name = useNames()(question);
  const { user } = useSession();
  const pin = usePinQuestion();
  if (!user) return null;
  const { id, isOwn, isPinned, mayPin, mayRemove } = question;
  const items: MenuEntry[] = [
    ...(isOwn ? [{ label: say('change'), onSelect: () => actions.onEdit(question) }] : []),
    ...(mayPin
      ? [{ label: isPinned ? t('unpin') : t('pin'), onSelect: () => pin.mutate({ id, isPinned: !isPinned }) }]
      : []),
    ...(mayRemove ? [{ label: isOwn ? say('delete') : say('hide'), onSelect: () => actions.onRemove(question) }] : []),
    ...(isOwn ? [] : [{ label: say('report'), onSelect: () => actions.onReport({ kind: 'question', id }) }]),
    ...(isOwn ? [] : [{ label: say('blockOne', { name }), onSelect: () => actions.onBlock(question) }]),
  ];
  return (
    <Menu
      trigger={
        <IconButton label={t('moreQuestion', { name })} className="-mr-2">
          <Ellipsis aria-hidden />
        </IconButton>
      }
      items={items}
    />
  );
}
