import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { copyText } from '../../../lib/browser/copy-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { texts } from './texts.en.ts';

interface CopyLineProps {
  label: string;
  /** Name of the value, such as `server`, in the copy button's label for screen readers. */
  copied: string;
  value: string;
}

/** A value to paste into another program. */
export function CopyLine({ label, copied: what, value }: CopyLineProps) {
  const t = useTexts(texts);
  const [copied, setCopied] = useState<{ value: string; isDone: boolean } | null>(null);
  const told = copied?.value === value ? copied : null;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-end gap-3">
        <Field label={label} className="min-w-0 flex-1 basis-60">
          <Input
            readOnly
            value={value}
            onFocus={({ target }) => target.select()}
            className="tabular"
            spellCheck={false}
            autoComplete="off"
          />
        </Field>
        <Button variant="secondary" onClick={() => void copyText(value).then((isDone) => setCopied({ value, isDone }))}>
          <Copy aria-hidden className="size-4" />
          {t.rich('copy', { label: what, hidden: (words) => <span className="sr-only">{words}</span> })}
        </Button>
      </div>
      <Meta role="status" className="empty:hidden">
        {told && (told.isDone ? t('copied') : t('notCopied'))}
      </Meta>
    </div>
  );
}
