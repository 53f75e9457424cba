import type { Answer, Question } from '@beltway/contracts/realtime/community';
import { useTexts } from '../../lib/i18n/catalog.ts';
import type { Person } from './person.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { removeAnswer, removeQuestion, useShownQuestions } from './questions-api.ts';
import { texts } from './texts.en.ts';
import { useThreadDialogs, type ThreadActions } from './thread-dialogs.tsx';

export type QuestionActions = ThreadActions<Question | Answer>;

interface Gone {
  onRemoved: () => void;
  onAnswerRemoved?: () => void;
  onBlocked: (person: Person) => void;
}

const isQuestion = (item: Question | Answer): item is Question => 'question' in item;

/** The dialogs of questions and answers and their actions. */
export function useQuestionDialogs({ onRemoved, onAnswerRemoved = onRemoved, onBlocked }: Gone) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const shown = useShownQuestions();
  return useThreadDialogs<Question | Answer>({
    onBlocked,
    onRemoved: (item) => (isQuestion(item) ? onRemoved() : onAnswerRemoved()),
    edit: [
      'change-question',
      (item, userId, close) =>
        isQuestion(item) && <QuestionDialog userId={userId} question={item} onClose={close} onSaved={close} />,
    ],
    removal: (item) => {
      const { id, isOwn } = item;
      const common = { isOwn, refresh: shown.refresh };
      const hideWhy = say('hideWhy');
      if (isQuestion(item))
        return {
          ...common,
          ...(isOwn
            ? { title: t('questionDeleteTitle'), consequence: t('questionDeleteWhy') }
            : { title: t('questionHideTitle'), consequence: hideWhy }),
          remove: () => removeQuestion(id),
          removeFromLists: () => shown.remove((one) => one.id === id),
        };
      return {
        ...common,
        ...(isOwn
          ? { title: t('answerDeleteTitle'), consequence: t('answerDeleteWhy') }
          : { title: t('answerHideTitle'), consequence: hideWhy }),
        remove: () => removeAnswer(id),
        removeFromLists: () => undefined,
      };
    },
  });
}
