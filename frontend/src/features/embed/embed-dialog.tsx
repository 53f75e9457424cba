import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select, Textarea } from '../../ui/field.tsx';
import { embedSearch, embedSnippet, type EmbedChoice } from './snippet.ts';

const THEMES = [
  ['auto', 'As the visitor’s device'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
const COUNTS = ['3', '6', '12', '24'];

interface EmbedDialogProps {
  organizerId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Where an organiser copies the snippet that shows their events on a site of their own, with the list as it will be. */
export function EmbedDialog({ organizerId, open, onOpenChange }: EmbedDialogProps) {
  const [theme, setTheme] = useState<EmbedChoice['theme']>('auto');
  const [count, setCount] = useState('6');
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const choice = { organizerId, theme, count };
  const snippet = embedSnippet(choice, window.location.origin);
  const copy = async () => setCopied((await copyText(snippet)) ? 'yes' : 'no');
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Your events on your own site"
      description="A list that keeps itself up to date. Paste this line where it should stand."
      size="wide"
      footer={
        <>
          <p role="status" className="mr-auto text-note text-ink-soft empty:absolute">
            {copied === 'yes' && 'Copied. Paste it into your page.'}
            {copied === 'no' && 'Your browser does not let us copy. Please copy the line by hand.'}
          </p>
          <Button onClick={() => void copy()}>
            <Copy aria-hidden className="size-4" />
            Copy
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Look">
            <Select
              value={theme}
              onChange={(event) => {
                setTheme(event.target.value as EmbedChoice['theme']);
                setCopied(null);
              }}
            >
              {THEMES.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Events at most">
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
        <Field label="Line for your page">
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

/** The frame as the other site shows it; as high as it says it is. */
function Preview({ search }: { search: string }) {
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
      <figcaption className="text-note font-strong">Preview</figcaption>
      <iframe
        ref={frame}
        title="Preview of the list"
        src={`/embed?${search}`}
        height={height}
        className="w-full rounded-md border border-line"
      />
    </figure>
  );
}
