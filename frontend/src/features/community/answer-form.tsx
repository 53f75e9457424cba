import { AnswerBody, MAX_ANSWER, type Question } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router-dom';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { explainWrite } from './explain-write.ts';
import { texts as questionTexts } from './questions.texts.en.ts';
import { useShownQuestions, writeAnswer } from './questions.ts';
import { useRetryKey } from './retry-key.ts';
import { texts } from './texts.en.ts';

/** Where an answer is written; who is signed out is led to sign in, and back. */
export function AnswerForm({ question }: { question: Question }) {
  const t = useTexts(questionTexts);
  const { user } = useSession();
  const { pathname } = useLocation();
  return user ? (
    <Form key={question.id} question={question} userId={user.id} />
  ) : (
    <p>
      <Link to={signInPath(pathname)} className="inline-flex min-h-11 items-center underline underline-offset-4">
        {t('signInToAnswer')}
      </Link>
    </p>
  );
}

/** With fewer characters left it is said how many. */
const NEARLY_FULL = 200;

function Form({ question, userId }: { question: Question; userId: number }) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const shown = useShownQuestions();
  const retryKey = useRetryKey();
  const draft = `answer-${question.id}`;
  const send = useMutation({
    mutationFn: ({ answer }: AnswerBody) => {
      return writeAnswer(question.id, answer, retryKey.of(answer));
    },
    onSuccess: () => {
      retryKey.forget();
      drafts.drop(draft);
      form.reset({ answer: '' });
      return shown.refresh();
    },
  });
  const form = useFields({
    schema: AnswerBody,
    initial: { answer: drafts.read(draft, userId, z.string()) ?? '' },
    onChange: ({ answer }) => {
      if (answer) drafts.write(draft, userId, answer);
      else drafts.drop(draft);
    },
    onSubmit: (checked) => send.mutate(checked),
    error: send.error,
  });
  const left = MAX_ANSWER - form.values.answer.length;
  return (
    <form {...form.props} aria-label={t('writeAnswer')} className="grid gap-2">
      <TextField
        {...form.bind('answer')}
        label={t('writeAnswer')}
        as={Textarea}
        rows={3}
        dir="auto"
        {...(left < NEARLY_FULL && { hint: say('charactersLeft', { count: Math.max(0, left) }) })}
      />
      {form.failure && (
        <p role="alert" className="text-note text-danger-ink">
          {explainWrite(form.failure)}
        </p>
      )}
      <Button type="submit" variant="secondary" pending={send.isPending} className="justify-self-end">
        {send.isPending ? say('sending') : t('answer')}
      </Button>
    </form>
  );
}
