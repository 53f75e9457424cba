import type { Answer, Question } from '@beltway/contracts/realtime/community';
import BadgeCheck from 'lucide-react/icons/badge-check';
import CircleCheck from 'lucide-react/icons/circle-check';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Heart from 'lucide-react/icons/heart';
import type { ReactNode } from 'react';
import { Age } from '../../lib/time/age.tsx';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount, formatMoment } from '../../lib/i18n/format.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu-panel.tsx';
import { useNames } from './person.ts';
import { PersonName } from './person-name.tsx';
import type { QuestionActions } from './question-dialogs.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { acceptAnswer, likeAnswer, useAnswerChoice } from './questions.ts';
import { texts } from './texts.en.ts';

interface AnswerCardProps {
  answer: Answer;
  question: Question;
  actions: QuestionActions;
}

/** One answer: who, when, its words, whether it is the organiser's and whether it helped, and what one may do with it. */
export function AnswerCard({ answer, question, actions }: AnswerCardProps) {
  const t = useTexts(questionTexts);
  const { user } = useSession();
  const like = useAnswerChoice(question.id, (wanted) => likeAnswer(answer.id, wanted));
  const accept = useAnswerChoice(question.id, (wanted) => acceptAnswer(answer.id, wanted));
  const name = useNames()(answer);
  return (
    <article
      aria-label={t('answerBy', { name })}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line bg-raised px-4 pb-2 pt-3 sm:px-5"
    >
      <header className="flex items-start justify-between gap-2">
        <p className="flex min-h-11 min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <PersonName person={answer} name={name} />
          {answer.isVerified && (
            <Badge tone="accent">
              <BadgeCheck aria-hidden />
              {t.rich('verified', { hidden: (words) => <span className="sr-only">{words}</span> })}
            </Badge>
          )}
          {answer.isAccepted && <Badge tone="success">{t('helped')}</Badge>}
          <time dateTime={answer.createdAt} title={formatMoment(answer.createdAt)} className="text-note text-ink-soft">
            <Age of={answer.createdAt} />
          </time>
        </p>
        {user && <More answer={answer} actions={actions} />}
      </header>
      <p dir="auto" className="max-w-prose whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
        {answer.answer}
      </p>
      {user ? (
        <p className="-mx-3 flex flex-wrap">
          <Toggle change={like} isOn={answer.isLiked}>
            <Heart aria-hidden />
            {t('like', { number: formatCount(answer.likes) })}
          </Toggle>
          {question.isOwn && (
            <Toggle change={accept} isOn={answer.isAccepted}>
              <CircleCheck aria-hidden />
              {t('thisHelped')}
            </Toggle>
          )}
        </p>
      ) : (
        <p className="pb-1 text-note text-ink-soft">
          {t('likes', { number: formatCount(answer.likes), count: answer.likes })}
        </p>
      )}
    </article>
  );
}

interface ToggleProps {
  change: ReturnType<typeof useAnswerChoice>;
  isOn: boolean;
  children: ReactNode;
}

const Toggle = ({ change, isOn, children }: ToggleProps) => (
  <Button
    variant="quiet"
    className="px-3! aria-pressed:text-accent-ink [&_svg]:size-5"
    aria-pressed={isOn}
    pending={change.isPending}
    onClick={() => change.mutate(!isOn)}
  >
    {children}
  </Button>
);

function More({ answer, actions }: Pick<AnswerCardProps, 'answer' | 'actions'>) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const { id, isOwn, mayRemove } = answer;
  const name = useNames()(answer);
  const items: MenuEntry[] = [
    ...(mayRemove
      ? [{ label: isOwn ? say('delete') : say('hide'), onSelect: () => actions.onRemoveAnswer(answer) }]
      : []),
    ...(isOwn ? [] : [{ label: say('report'), onSelect: () => actions.onReport({ kind: 'answer', id }) }]),
    ...(isOwn ? [] : [{ label: say('blockOne', { name }), onSelect: () => actions.onBlock(answer) }]),
  ];
  return (
    <Menu
      trigger={
        <IconButton label={t('moreAnswer', { name })} className="-mr-2">
          <Ellipsis aria-hidden />
        </IconButton>
      }
      items={items}
    />
  );
}
