import { CommentBody, MAX_COMMENT } from '@beltway/contracts/realtime/comments';
import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { explain } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea, TextField } from '../../ui/field.tsx';
import { texts } from './texts.en.ts';

const Schema = z.object({ text: CommentBody.shape.text });
/** With fewer characters left it is said how many. */
const NEARLY_FULL = 200;

interface ComposerProps {
  label: string;
  userId: number;
  /** What is typed is kept under this name until it was sent. */
  draft: string;
  /** What stands in it at first, if there is no draft. */
  initial?: string;
  submitLabel: string;
  pending?: boolean;
  /** Why the last try failed. */
  error: unknown;
  /** `putBack` shows the words again in a composer that stays open. */
  onSubmit: (text: string, putBack: () => void) => void;
  /** Without it the composer stays open, and is empty after sending. */
  onCancel?: () => void;
}

/** A field for words, with what is wrong with them. Words that were not sent survive a reload and signing in again. */
export function Composer({
  label,
  userId,
  draft,
  initial = '',
  submitLabel,
  pending,
  error,
  ...actions
}: ComposerProps) {
  const t = useTexts(texts);
  const { onSubmit, onCancel } = actions;
  const ref = useRef<HTMLFormElement>(null);
  /** Typed since the last words were sent. */
  const typed = useRef('');
  const form = useFields({
    schema: Schema,
    initial: { text: drafts.read(draft, userId, z.string()) ?? initial },
    onSubmit: ({ text }) => {
      const putBack = () => form.reset({ text: typed.current ? `${text}\n${typed.current}` : text });
      if (!onCancel) {
        typed.current = '';
        form.reset({ text: '' });
      }
      onSubmit(text, putBack);
    },
    onChange: ({ text }) => {
      typed.current = text;
      if (text) drafts.write(draft, userId, text);
      else drafts.drop(draft);
    },
    error,
  });
  const isOpened = onCancel !== undefined;
  useEffect(() => {
    if (!isOpened) return;
    const field = ref.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [isOpened]);
  const left = MAX_COMMENT - form.values.text.length;
  return (
    <form {...form.props} ref={ref} aria-label={label} className="grid gap-2">
      <TextField
        {...form.bind('text')}
        label={label}
        as={Textarea}
        rows={3}
        dir="auto"
        onKeyDown={(press) => {
          if (press.key === 'Escape') onCancel?.();
          if (press.key === 'Enter' && (press.metaKey || press.ctrlKey)) ref.current?.requestSubmit();
        }}
        {...(left < NEARLY_FULL && { hint: t('charactersLeft', { count: Math.max(0, left) }) })}
      />
      {form.failure && (
        <p role="alert" className="text-note text-danger-ink">
          {explain(form.failure)}
        </p>
      )}
      <p className="flex flex-wrap justify-end gap-2">
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        <Button type="submit" variant="secondary" pending={pending ?? false}>
          {submitLabel}
        </Button>
      </p>
    </form>
  );
}
