import { useEffect, useRef } from 'react';
import { z, type ZodType } from 'zod';
import { textsNow } from '../../lib/i18n/catalog.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { texts } from '../../ui/texts.en.ts';
import { explainWrite } from './explain-write.ts';
import { WordsField } from './words-field.tsx';

interface ComposerProps {
  label: string;
  userId: number;
  /** The storage key of the draft, which is stored until it is sent. */
  draft: string;
  /** The initial text if there is no draft. */
  initial?: string;
  /** The contract's field: name, schema and maximum length. */
  field: { name: 'text' | 'answer'; schema: ZodType<string, string>; max: number };
  rows?: number;
  nearlyFull?: number;
  submitLabel: string;
  pending?: boolean;
  /** The error of the last attempt. */
  error: unknown;
  /** `putBack` restores the text in a composer that stays open; `empty` clears it. */
  onSubmit: (text: string, words: { putBack: () => void; empty: () => void }) => void;
  /** If undefined, the composer stays open. */
  onCancel?: () => void;
  /** If true, keeps the text while it is being sent. If false, a composer that stays open is cleared on submit. */
  keepsWords?: boolean;
}

/**
 * A text field with its errors. It is one line high while empty. Unsent text survives a reload and signing in again.
 */
export function Composer({
  label,
  userId,
  draft,
  initial = '',
  field: { name, schema, max },
  rows = 3,
  nearlyFull = 200,
  submitLabel,
  pending = false,
  error,
  onSubmit,
  onCancel,
  keepsWords = false,
}: ComposerProps) {
  const ref = useRef<HTMLFormElement>(null);
  /** The text typed since the last submit. */
  const typed = useRef('');
  const form = useFields<Record<string, string>, Record<string, string>>({
    schema: z.object({ [name]: schema }),
    initial: { [name]: drafts.read(draft, userId, z.string()) ?? initial },
    onSubmit: ({ [name]: text = '' }) => {
      const putBack = () => form.reset({ [name]: typed.current ? `${text}\n${typed.current}` : text });
      const empty = () => form.reset({ [name]: '' });
      if (!onCancel && !keepsWords) {
        typed.current = '';
        empty();
      }
      onSubmit(text, { putBack, empty });
    },
    onChange: ({ [name]: text = '' }) => {
      typed.current = text;
      if (text) drafts.write(draft, userId, text);
      else drafts.drop(draft);
    },
    error,
  });
  const isOpened = onCancel !== undefined;
  const isIdle = !isOpened && form.values[name] === '';
  useEffect(() => {
    if (!isOpened) return;
    const field = ref.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [isOpened]);
  return (
    <form {...form.props} ref={ref} aria-label={label} className="grid gap-2">
      <WordsField {...form.bind(name)} {...{ label, rows: isIdle ? 1 : rows, max, nearlyFull }} onEscape={onCancel} />
      <Failure of={form.failure && explainWrite(form.failure)} className="text-note" />
      <p className="flex flex-wrap justify-end gap-2">
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            {textsNow(texts)('cancel')}
          </Button>
        )}
        <Button type="submit" variant="secondary" pending={pending}>
          {submitLabel}
        </Button>
      </p>
    </form>
  );
}
