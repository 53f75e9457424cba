import type { Answer, Question } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useDialogEntry } from '../../lib/navigation/dialog-entry.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../ui/toast.ts';
import { BlockDialog, Confirm } from './confirm-dialogs.tsx';
import type { Person, Reportable } from './person.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { removeAnswer, removeQuestion, useShownQuestions } from './questions.ts';
import { ReportContentDialog } from './report-content-dialog.tsx';
import { texts } from './texts.en.ts';

/** What a question or an answer asks of the page that it stands on. */
export interface QuestionActions {
  onEdit: (question: Question) => void;
  onRemove: (question: Question) => void;
  onRemoveAnswer: (answer: Answer) => void;
  onBlock: (person: Person) => void;
  onReport: (what: Reportable) => void;
}

interface Gone {
  /** What has the focus is gone. */
  onRemoved: () => void;
  onAnswerRemoved?: () => void;
  onBlocked: (person: Person) => void;
}

/** What is done with questions and answers, with the dialogs that ask before: for their cards, and to stand on the page. */
export function useQuestionDialogs({ onRemoved, onAnswerRemoved = onRemoved, onBlocked }: Gone): {
  actions: QuestionActions;
  dialogs: ReactNode;
} {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const { user } = useSession();
  const [question, chooseQuestion] = useState<Question | null>(null);
  const [answer, chooseAnswer] = useState<Answer | null>(null);
  const [person, choosePerson] = useState<Person | null>(null);
  const [reported, chooseReported] = useState<Reportable | null>(null);
  const [isReporting, setReporting] = useDialogEntry('report');
  const [isEditing, setEditing] = useDialogEntry('change-question');
  const [isRemoving, setRemoving] = useDialogEntry('remove-question');
  const [isRemovingAnswer, setRemovingAnswer] = useDialogEntry('remove-answer');
  const [isBlocking, setBlocking] = useDialogEntry('block');
  const actions: QuestionActions = {
    onEdit: (chosen) => {
      chooseQuestion(chosen);
      setEditing(true);
    },
    onRemove: (chosen) => {
      chooseQuestion(chosen);
      setRemoving(true);
    },
    onRemoveAnswer: (chosen) => {
      chooseAnswer(chosen);
      setRemovingAnswer(true);
    },
    onBlock: (chosen) => {
      choosePerson(chosen);
      setBlocking(true);
    },
    onReport: (chosen) => {
      chooseReported(chosen);
      setReporting(true);
    },
  };
  // The page stays while texts of a dialog are loaded.
  const dialogs = user && (
    <Suspense>
      {isEditing && question && (
        <QuestionDialog
          userId={user.id}
          question={question}
          onClose={() => setEditing(false)}
          onSaved={() => setEditing(false)}
        />
      )}
      {isRemoving && question && (
        <RemoveDialog
          isOwn={question.isOwn}
          words={
            question.isOwn
              ? { title: t('questionDeleteTitle'), consequence: t('questionDeleteWhy'), done: t('questionDeleted') }
              : { title: t('questionHideTitle'), consequence: say('hideWhy'), done: t('questionHidden') }
          }
          remove={() => removeQuestion(question.id)}
          gone={({ id }) => id === question.id}
          at="/community/questions"
          onClose={() => setRemoving(false)}
          onRemoved={() => {
            setRemoving(false);
            onRemoved();
          }}
        />
      )}
      {isRemovingAnswer && answer && (
        <RemoveDialog
          isOwn={answer.isOwn}
          words={
            answer.isOwn
              ? { title: t('answerDeleteTitle'), consequence: t('answerDeleteWhy'), done: t('answerDeleted') }
              : { title: t('answerHideTitle'), consequence: say('hideWhy'), done: t('answerHidden') }
          }
          remove={() => removeAnswer(answer.id)}
          gone={() => false}
          at={window.location.pathname}
          onClose={() => setRemovingAnswer(false)}
          onRemoved={() => {
            setRemovingAnswer(false);
            onAnswerRemoved();
          }}
        />
      )}
      {isReporting && reported && <ReportContentDialog reported={reported} onClose={() => setReporting(false)} />}
      {isBlocking && person && (
        <BlockDialog
          person={person}
          onClose={() => setBlocking(false)}
          onBlocked={() => {
            setBlocking(false);
            onBlocked(person);
          }}
        />
      )}
    </Suspense>
  );
  return { actions, dialogs };
}

interface RemoveDialogProps {
  isOwn: boolean;
  /** What it asks, and says once that is done. */
  words: { title: string; consequence: string; done: string };
  remove: () => Promise<unknown>;
  /** Which of the shown questions it takes away. */
  gone: (question: Question) => boolean;
  /** The page that says so. */
  at: string;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before its author deletes something, or who may hides it: neither comes back. */
function RemoveDialog({ isOwn, words, remove, gone, at, onClose, onRemoved }: RemoveDialogProps) {
  const say = useTexts(texts);
  const shown = useShownQuestions();
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      shown.takeAway(gone);
      onRemoved();
      toast({ title: words.done, at });
      return shown.refresh();
    },
  });
  return (
    <Confirm
      title={words.title}
      description={words.consequence}
      action={isOwn ? say('delete') : say('hide')}
      pending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
