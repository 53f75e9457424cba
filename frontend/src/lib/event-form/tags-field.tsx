import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Input } from '../../ui/field.tsx';
import { useTexts } from '../i18n/catalog.ts';
import { quickTags, withTags } from './tags.ts';
import { texts } from './texts.en.ts';

interface TagsFieldProps {
  value: readonly string[];
  error?: string | undefined;
  onChange: (tags: readonly string[]) => void;
}

const chip =
  'inline-flex min-h-11 items-center gap-1.5 rounded-full border px-4 text-note font-strong transition-colors duration-(--duration-fast)';

/** Quick picks as toggles, and custom tags, added by the Add button, Enter, or leaving the field. */
export function TagsField({ value: tags, error, onChange }: TagsFieldProps) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  const own = tags.filter((tag) => !quickTags.some((quick) => quick === tag));
  const add = () => {
    const next = withTags(tags, typed);
    setRefused(next.error);
    if (next.error) return;
    setTyped('');
    if (next.tags !== tags) onChange(next.tags);
  };
  const toggle = (tag: string) => onChange(tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag]);
  return (
    <div className="grid gap-3">
      <Field label={t('tags')} error={refused ?? error} hint={t('tagsHint')}>
        <div className="flex gap-2">
          <Input
            value={typed}
            maxLength={200}
            placeholder={t('tagExample')}
            autoCapitalize="none"
            autoComplete="off"
            onChange={(change) => {
              setTyped(change.target.value);
              setRefused(null);
            }}
            onBlur={add}
            onKeyDown={(press) => {
              if (press.key !== 'Enter') return;
              press.preventDefault(); // Enter adds the tag; it does not send the form
              add();
            }}
          />
          <Button variant="secondary" onClick={add} disabled={typed.trim() === ''}>
            <Plus aria-hidden className="size-4" />
            {t('add')}
          </Button>
        </div>
      </Field>
      <div className="flex flex-wrap gap-2">
        {quickTags.map((tag) => (
          <button
            key={tag}
            type="button"
            aria-pressed={tags.includes(tag)}
            onClick={() => toggle(tag)}
            className={cx(
              chip,
              tags.includes(tag) ? 'border-transparent bg-ink text-ground' : 'border-edge hover:border-ink',
            )}
          >
            {tag}
          </button>
        ))}
        {own.map((tag) => (
          <button
            key={tag}
            type="button"
            aria-label={t('removeTag', { tag })}
            onClick={() => toggle(tag)}
            className={cx(chip, 'max-w-full border-transparent bg-ink text-ground')}
          >
            <span className="truncate">{tag}</span>
            <X aria-hidden className="size-4 shrink-0" />
          </button>
        ))}
      </div>
    </div>
  );
}
