import type { Answer, Question } from '@beltway/contracts/realtime/community';
import BadgeCheck from 'lucide-react/icons/badge-check';
import CircleCheck from 'lucide-react/icons/circle-check';
import Heart from 'lucide-react/icons/heart';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { useSession } from '../../lib/session/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { MoreMenu } from './more-menu.tsx';
import { card } from './parts.tsx';
import { useNames } from './person.ts';
import { PersonName } from './person-name.tsx';
import type { QuestionActions } from './question-dialogs.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { acceptAnswer, likeAnswer, useAnswerChoice } from './questions-api.ts';
import { When, Words } from './words.tsx';

interface AnswerCardProps {
  answer: Answer;
  question: Question;
  actions: QuestionActions;
}

/** One answer: author, time, text, whether the organizer wrote it and whether it was accepted, and its actions. */
export function AnswerCard({ answer, question, actions }: AnswerCardProps) {
  const t = useTexts(questionTexts);
  const { user } = useSession();
  const like = useAnswerChoice(question.id, (wanted) => likeAnswer(answer.id, wanted));
  const accept = useAnswerChoice(question.id, (wanted) => acceptAnswer(answer.id, wanted));
  const name = useNames()(answer);
  return (
    <article aria-label={t('answerBy', { name })} className={card}>
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
          <When at={answer.createdAt} />
        </p>
        <MoreMenu<Question | Answer>
          item={answer}
          reportable={{ kind: 'answer', id: answer.id }}
          label={t('moreAnswer', { name })}
          actions={actions}
        />
      </header>
      <Words>{answer.answer}</Words>
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
