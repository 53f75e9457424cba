import { AnswerBody, MAX_ANSWER, type Question } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { Composer } from './composer.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { useShownQuestions, writeAnswer } from './questions-api.ts';
import { useRetryKey } from './retry-key.ts';
import { texts } from './texts.en.ts';

/** The form for an answer. A visitor goes to the sign-in first and then returns. */
export function AnswerForm({ question }: { question: Question }) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const { user } = useSession();
  const { pathname } = useLocation();
  const shown = useShownQuestions();
  const retryKey = useRetryKey();
  const draft = `answer-${question.id}`;
  const send = useMutation({
    mutationFn: (answer: string) => writeAnswer(question.id, answer, retryKey.of(answer)),
    onSuccess: () => {
      retryKey.forget();
      drafts.drop(draft);
      return shown.refresh();
    },
  });
  if (!user)
    return (
      <p>
        <TextLink to={signInPath(pathname)}>{t('signInToAnswer')}</TextLink>
      </p>
    );
  return (
    <Composer
      key={question.id}
      label={t('writeAnswer')}
      userId={user.id}
      draft={draft}
      field={{ name: 'answer', schema: AnswerBody.shape.answer, max: MAX_ANSWER }}
      keepsWords
      submitLabel={send.isPending ? say('sending') : t('answer')}
      pending={send.isPending}
      error={send.error}
      onSubmit={(answer, { empty }) => send.mutate(answer, { onSuccess: empty })}
    />
  );
}
