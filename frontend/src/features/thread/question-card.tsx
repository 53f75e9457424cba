import { questionPath, type Answer, type Question } from '@beltway/contracts/realtime/community';
import Bell from 'lucide-react/icons/bell';
import BellRing from 'lucide-react/icons/bell-ring';
import Heart from 'lucide-react/icons/heart';
import MessageCircle from 'lucide-react/icons/message-circle';
import Pin from 'lucide-react/icons/pin';
import { Link } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { MoreMenu } from './more-menu.tsx';
import { MarkButton, Subject, act, card, chip, hidden } from './parts.tsx';
import { useNames } from './person.ts';
import { PersonName } from './person-name.tsx';
import type { QuestionActions } from './question-dialogs.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { usePinQuestion, useQuestionChoice } from './questions-api.ts';
import { texts } from './texts.en.ts';
import { When, asTyped } from './words.tsx';

interface QuestionCardProps {
  question: Question;
  actions: QuestionActions;
  /** Whether the card is listed among its event's questions, where the event's pins apply. */
  isOfEvent?: boolean;
  /** Whether the question has the page to itself, above its answers. */
  isAlone?: boolean;
}

/** One question: author, time, text, subject, state and actions. */
export function QuestionCard({ question, actions, isOfEvent = false, isAlone = false }: QuestionCardProps) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const { id, category, location, eventId, createdAt, editedAt, isPinned, isAnswered } = question;
  const name = useNames()(question);
  return (
    <article aria-label={t('questionBy', { name })} data-question={id} className={card}>
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
          <When at={createdAt} />
          {editedAt && (
            <span className="text-note text-ink-soft" title={formatMoment(editedAt)}>
              {say('edited')}
            </span>
          )}
        </p>
        <More question={question} actions={actions} />
      </header>
      {isAlone ? (
        <h1 dir="auto" className={cx('text-heading', asTyped)}>
          {question.question}
        </h1>
      ) : (
        <h2 dir="auto" className={cx('text-title', asTyped)}>
          <Link to={questionPath(id)} className="underline-offset-4 hover:underline">
            {question.question}
          </Link>
        </h2>
      )}
      <p className="flex flex-wrap items-center gap-x-4 text-note text-ink-soft">
        <Link to={`/community/questions?category=${category}`} className={chip}>
          {t(category)}
        </Link>
        <Subject of={question} place={location} list="/community/questions" />
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

function LikeButton({ question }: { question: Question }) {
  const t = useTexts(questionTexts);
  const name = useNames()(question);
  const { id, likes, isLiked } = question;
  const like = useQuestionChoice('like');
  return (
    <MarkButton isOn={isLiked} pending={like.isPending} onPress={() => like.mutate({ id, wanted: !isLiked })}>
      <Heart aria-hidden className={cx(isLiked && 'fill-accent text-accent-ink')} />
      {t.rich('likeQuestion', { name, number: formatCount(likes), count: likes, hidden })}
    </MarkButton>
  );
}

function FollowButton({ question: { id, isFollowed } }: { question: Question }) {
  const t = useTexts(questionTexts);
  const follow = useQuestionChoice('follow');
  const Icon = isFollowed ? BellRing : Bell;
  return (
    <MarkButton
      isOn={isFollowed}
      pending={follow.isPending}
      className={cx(isFollowed && 'text-accent-ink')}
      onPress={() => follow.mutate({ id, wanted: !isFollowed })}
    >
      <Icon aria-hidden />
      {isFollowed ? t('following') : t('follow')}
    </MarkButton>
  );
}

function More({ question, actions }: Pick<QuestionCardProps, 'question' | 'actions'>) {
  const t = useTexts(questionTexts);
  const name = useNames()(question);
  const pin = usePinQuestion();
  const { id, isPinned, mayPin } = question;
  const pinning = { label: isPinned ? t('unpin') : t('pin'), onSelect: () => pin.mutate({ id, isPinned: !isPinned }) };
  return (
    <MoreMenu<Question | Answer>
      item={question}
      reportable={{ kind: 'question', id }}
      label={t('moreQuestion', { name })}
      actions={actions}
      isChangeable
      more={mayPin ? [pinning] : []}
    />
  );
}
