import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Input } from '../../ui/field.tsx';
import { quickTags, withTag } from './launch-form.ts';

interface TagsFieldProps {
  tags: readonly string[];
  error?: string | undefined;
  onChange: (tags: readonly string[]) => void;
}

const chip =
  'inline-flex min-h-11 items-center gap-1.5 rounded-full border px-4 text-note font-strong transition-colors duration-(--duration-fast)';

/** Quick picks to switch on and off, and tags of one's own by the Add button or Enter. */
export function TagsField({ tags, error, onChange }: TagsFieldProps) {
  const [typed, setTyped] = useState('');
  const own = tags.filter((tag) => !quickTags.some((quick) => quick === tag));
  const add = () => {
    onChange(withTag(tags, typed));
    setTyped('');
  };
  const toggle = (tag: string) => onChange(tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag]);
  return (
    <div className="grid gap-3">
      <Field label="Tags" error={error} hint="People find your event by them.">
        <div className="flex gap-2">
          <TagInput value={typed} onChange={setTyped} onAdd={add} />
          <Button variant="secondary" onClick={add} disabled={typed.trim() === ''}>
            <Plus aria-hidden className="size-4" />
            Add
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
            aria-label={`Remove ${tag}`}
            onClick={() => toggle(tag)}
            className={cx(chip, 'border-transparent bg-ink text-ground')}
          >
            {tag}
            <X aria-hidden className="size-4" />
          </button>
        ))}
      </div>
    </div>
  );
}

function TagInput({ value, onChange, onAdd }: { value: string; onChange: (value: string) => void; onAdd: () => void }) {
  return (
    <Input
      value={value}
      maxLength={39}
      placeholder="#jazz"
      autoCapitalize="none"
      onChange={(change) => onChange(change.target.value)}
      onKeyDown={(press) => {
        if (press.key !== 'Enter') return;
        press.preventDefault(); // Enter adds the tag; it does not send the form
        onAdd();
      }}
    />
  );
}
