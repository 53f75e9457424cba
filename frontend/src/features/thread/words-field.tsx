import { Textarea, TextField } from '../../ui/field.tsx';
import type { Bound } from '../../lib/forms/form.ts';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { texts } from './shared.texts.en.ts';

interface WordsFieldProps extends Bound<string> {
  label: string;
  rows: number;
  /** The maximum length. A counter appears when fewer than `nearlyFull` characters are left. */
  max: number;
  nearlyFull?: number;
  onEscape?: (() => void) | undefined;
}

/** A multiline text field. Ctrl+Enter or Cmd+Enter submits its form. */
export function WordsField({ max, nearlyFull = 200, onEscape, ...field }: WordsFieldProps) {
  const t = useTexts(texts);
  const left = max - field.value.length;
  return (
    <TextField
      {...field}
      as={Textarea}
      dir="auto"
      onKeyDown={(press) => {
        if (press.key === 'Escape') onEscape?.();
        if (press.key === 'Enter' && (press.metaKey || press.ctrlKey)) press.currentTarget.form?.requestSubmit();
      }}
      {...(left < nearlyFull && { hint: t('charactersLeft', { count: Math.max(0, left) }) })}
    />
  );
}
