import { MAX_QUESTION, QuestionBody, QuestionCategory, type Question } from '@beltway/contracts/realtime/community';
import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Field, Select } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EventField } from './event-field.tsx';
import { explainWrite } from './explain-write.ts';
import { PlaceField } from './place-field.tsx';
import { texts as questionTexts } from './questions.texts.en.ts';
import { askQuestion, editQuestion, useShownQuestions } from './questions-api.ts';
import { useRetryKey } from './retry-key.ts';
import { texts } from './texts.en.ts';
import { WordsField } from './words-field.tsx';

const Schema = z.object({
  question: QuestionBody.shape.question,
  category: QuestionCategory,
  eventId: z.string(),
  location: z.string(),
});
/** The storage key of the draft, which is stored until it is sent. */
const DRAFT = 'question';

interface QuestionDialogProps {
  userId: number;
  /** The question to edit; undefined for a new one. */
  question?: Question;
  /** The initial subject of a new question, from the page. */
  about?: { eventId: string; place: string; category: QuestionCategory | '' };
  onClose: () => void;
  onSaved: (question: Question) => void;
}

/**
 * Asks a question, or edits the text and category of the account's own question. Unsent text survives a reload and
 * signing in again.
 */
export function QuestionDialog({ userId, question: asked, about, onClose, onSaved }: QuestionDialogProps) {
  const t = useTexts(questionTexts);
  const say = useTexts(texts);
  const shown = useShownQuestions();
  const retryKey = useRetryKey();
  const save = useMutation({
    mutationFn: ({ question, category, eventId, location }: z.infer<typeof Schema>): Promise<Question> => {
      if (asked) return editQuestion(asked.id, { question, category });
      const body: QuestionBody = {
        ...{ question, category },
        ...(eventId && { eventId: Number(eventId) }),
        ...(location && { location }),
      };
      return askQuestion(body, retryKey.of(JSON.stringify(body)));
    },
    onSuccess: (saved) => {
      if (asked) shown.change(asked.id, () => saved);
      else drafts.drop(DRAFT);
      onSaved(saved);
      return shown.refresh();
    },
  });
  const form = useFields({
    schema: Schema,
    initial: {
      question: asked?.question ?? drafts.read(DRAFT, userId, z.string()) ?? '',
      category: asked?.category ?? (about?.category || 'general'),
      eventId: about?.eventId ?? '',
      location: about?.place ?? '',
    },
    onChange: ({ question }) => {
      if (asked) return;
      if (question) drafts.write(DRAFT, userId, question);
      else drafts.drop(DRAFT);
    },
    onSubmit: (checked) => save.mutate(checked),
    error: save.error,
  });
  const label = asked ? t('changeQuestion') : t('ask');
  const category = form.bind('category');
  return (
    <FormDialog
      form={form}
      title={label}
      {...(!asked && { description: t('everybodyAnswers') })}
      action={asked ? say('save') : t('send')}
      acting={asked ? say('saving') : t('asking')}
      pending={save.isPending}
      failure={form.failure && explainWrite(form.failure)}
      onClose={onClose}
    >
      <WordsField {...form.bind('question')} label={t('whatToKnow')} rows={4} max={MAX_QUESTION} nearlyFull={100} />
      <Field label={t('category')} error={category.error}>
        <Select value={category.value} onChange={({ target }) => category.onChange(target.value as QuestionCategory)}>
          {QuestionCategory.options.map((value) => (
            <option key={value} value={value}>
              {t(value)}
            </option>
          ))}
        </Select>
      </Field>
      {!asked && (
        <>
          <EventField {...form.bind('eventId')} />
          <PlaceField
            {...form.bind('location')}
            label={say('place')}
            optional
            none={form.values.eventId ? say('whereEventIs') : say('noPlace')}
          />
        </>
      )}
    </FormDialog>
  );
}
