import type { Event } from '@beltway/contracts/catalog/events';
import { LIVESTREAM, type LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { clockHint } from '../../lib/event-form/clock-hint.ts';
import { drafts } from '../../lib/storage/drafts.ts';
import { useFields } from '../../lib/forms/form.ts';
import { formatCount } from '../../lib/i18n/format.ts';
import { HttpError } from '../../lib/http/http.ts';
import { Button } from '../../ui/button.tsx';
import { Switch, TextField } from '../../ui/field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { configSchema, LivestreamForm, usualForm } from './livestream-config.ts';
import { texts } from './texts.en.ts';
import { say } from '../../lib/i18n/problems.ts';

interface LivestreamEditorProps {
  event: Event;
  userId: number;
  /** The current configuration of a paid stream. */
  current?: LivestreamForm;
  /** The server's error for the previous configuration. */
  error: unknown;
  onConfigured: (config: LivestreamConfig) => void;
}

/** Maps `livestreamConfig.endTime` to the field `endTime`. */
const errorsOf = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    ((error instanceof HttpError && error.problem?.errors) || []).map((one) => [
      one.field.replace(/^livestreamConfig\./, ''),
      say(one),
    ]),
  );

/** Configures the live stream: start, end, viewers, chat, recording. */
export function LivestreamEditor({ event, userId, current, error, onConfigured }: LivestreamEditorProps) {
  const t = useTexts(texts);
  const draft = `livestream-${event.id}`;
  const form = useFields<LivestreamForm, LivestreamConfig>({
    schema: configSchema(event),
    initial: current ?? drafts.read(draft, userId, LivestreamForm) ?? usualForm(event),
    onChange: (values) => !current && drafts.write(draft, userId, values),
    onSubmit: onConfigured,
    error,
    errorsOf,
  });
  const { bind } = form;
  const [chat, recording] = [bind('chatEnabled'), bind('recordingEnabled')];
  const hintOf = (wall: string) => clockHint(wall.slice(0, 10), wall.slice(11, 16));
  const [start, end] = [bind('startTime'), bind('endTime')];
  return (
    <form aria-label={t('configLabel')} className="grid gap-5" {...form.props}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('starts')}
          hint={hintOf(start.value) ?? t('newYorkTime')}
          type="datetime-local"
          required
          {...start}
        />
        <TextField
          label={t('ends')}
          hint={hintOf(end.value) ?? t('endsHint', { hours: String(LIVESTREAM.longestHours) })}
          type="datetime-local"
          required
          {...end}
        />
      </div>
      <NumberField
        label={t('maximumViewers')}
        hint={t('maximumViewersHint', { count: formatCount(LIVESTREAM.maxViewers) })}
        inputMode="numeric"
        required
        {...bind('maxViewers')}
      />
      <Switch label={t('liveChat')} hint={t('liveChatHint')} checked={chat.value} onCheckedChange={chat.onChange} />
      <Switch
        label={t('recording')}
        hint={t('recordingHint')}
        checked={recording.value}
        onCheckedChange={recording.onChange}
      />
      <Button type="submit" variant="secondary" className="justify-self-start">
        {t('saveConfig')}
      </Button>
    </form>
  );
}
