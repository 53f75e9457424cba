import type { Answer, Question } from '@beltway/contracts/community';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useDialogEntry } from '../../lib/dialog-entry.ts';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../ui/toast.ts';
import { BlockDialog, Confirm } from './confirm-dialogs.tsx';
import type { Person, Reportable } from './person.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { removeAnswer, removeQuestion, useShownQuestions } from './questions.ts';
import { ReportContentDialog } from './report-content-dialog.tsx';

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
  const dialogs = user && (
    <>
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
          what="question"
          isOwn={question.isOwn}
          consequence="It is gone for good, with its answers and likes."
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
          what="answer"
          isOwn={answer.isOwn}
          consequence="It is gone for good, with its likes."
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
    </>
  );
  return { actions, dialogs };
}

interface RemoveDialogProps {
  what: 'question' | 'answer';
  isOwn: boolean;
  /** Of deleting one's own. */
  consequence: string;
  remove: () => Promise<unknown>;
  /** Which of the shown questions it takes away. */
  gone: (question: Question) => boolean;
  /** The page that says so. */
  at: string;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before its author deletes something, or who may hides it: neither comes back. */
function RemoveDialog({ what, isOwn, consequence, remove, gone, at, onClose, onRemoved }: RemoveDialogProps) {
  const shown = useShownQuestions();
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      shown.takeAway(gone);
      onRemoved();
      toast({ title: `${what === 'question' ? 'Question' : 'Answer'} ${isOwn ? 'deleted' : 'hidden'}`, at });
      return shown.refresh();
    },
  });
  return (
    <Confirm
      title={isOwn ? `Delete your ${what}?` : `Hide this ${what}?`}
      description={isOwn ? consequence : 'Nobody sees it any more, its author neither.'}
      action={isOwn ? 'Delete' : 'Hide'}
      pending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
