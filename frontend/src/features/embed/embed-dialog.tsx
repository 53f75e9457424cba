import Copy from 'lucide-react/icons/copy';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { copyText } from '../../lib/browser/copy-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, Textarea } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { embedSearch, embedSnippet, type EmbedChoice } from './snippet.ts';
import { texts } from './texts.en.ts';

const THEMES = ['auto', 'light', 'dark'] as const;
const COUNTS = ['3', '6', '12', '24'];

interface EmbedDialogProps {
  organizerId: number;
  onClose: () => void;
}

/** Previews the list of an organizer's events for their own site, and copies its snippet. */
export function EmbedDialog({ organizerId, onClose }: EmbedDialogProps) {
  const t = useTexts(texts);
  const [theme, setTheme] = useState<EmbedChoice['theme']>('auto');
  const [count, setCount] = useState('6');
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const choice = { organizerId, theme, count };
  const snippet = embedSnippet(choice, window.location.origin);
  const copy = async () => setCopied((await copyText(snippet)) ? 'yes' : 'no');
  return (
    <Dialog
      onClose={onClose}
      title={t('title')}
      description={t('why')}
      size="wide"
      footer={
        <>
          <Meta role="status" className="mr-auto empty:absolute">
            {copied === 'yes' && t('copied')}
            {copied === 'no' && t('notCopied')}
          </Meta>
          <Button onClick={() => void copy()}>
            <Copy aria-hidden className="size-4" />
            {t('copy')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('look')}>
            <Select
              value={theme}
              onChange={(event) => {
                setTheme(event.target.value as EmbedChoice['theme']);
                setCopied(null);
              }}
            >
              {THEMES.map((value) => (
                <option key={value} value={value}>
                  {t(value)}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('atMost')}>
            <Select
              value={count}
              onChange={(event) => {
                setCount(event.target.value);
                setCopied(null);
              }}
            >
              {COUNTS.map((value) => (
                <option key={value}>{value}</option>
              ))}
            </Select>
          </Field>
        </div>
        <Field label={t('line')}>
          <Textarea
            readOnly
            rows={3}
            value={snippet}
            onFocus={(event) => event.target.select()}
            className="text-note break-all"
          />
        </Field>
        <Preview search={embedSearch(choice)} />
      </div>
    </Dialog>
  );
}

/** The embedded frame as on the organizer's site, with the height that the frame reports. */
function Preview({ search }: { search: string }) {
  const t = useTexts(texts);
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(320);
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent<{ type?: unknown; height?: unknown } | null>) => {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return;
      if (data?.type === 'beltway-embed-height' && typeof data.height === 'number' && data.height > 0)
        setHeight(data.height);
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, []);
  return (
    <figure className="grid gap-1.5">
      <figcaption className="text-note font-strong">{t('preview')}</figcaption>
      <iframe
        ref={frame}
        title={t('previewOf')}
        src={`/embed?${search}`}
        height={height}
        className="w-full rounded-md border border-line"
      />
    </figure>
  );
}
