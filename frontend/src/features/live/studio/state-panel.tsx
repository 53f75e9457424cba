import { BROADCAST, type Broadcast } from '@beltway/contracts/media/broadcast';
import Radio from 'lucide-react/icons/radio';
import { useState } from 'react';
import { useTexts, type TextsOf } from '../../../lib/i18n/catalog.ts';
import { useClock } from '../../../lib/time/clock.ts';
import { sayMoment } from '../../../lib/i18n/format.ts';
import { explain } from '../../../lib/http/http.ts';
import { say } from '../../../lib/i18n/problems.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { startBroadcast, stopBroadcast } from './api.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { Panel } from './panel.tsx';
import { texts } from './texts.en.ts';
import { useChange } from './use-change.ts';

const TONES: Record<Broadcast['status'], BadgeTone> = {
  ...{ scheduled: 'neutral', live: 'danger', ended: 'inverse', canceled: 'danger' },
};
type T = TextsOf<typeof texts>;
const seconds = String(BROADCAST.reconnectSeconds);

function endText(t: T, reason: NonNullable<Broadcast['endReason']>): string {
  switch (reason) {
    case 'stopped':
      return t('endStopped');
    case 'signal':
      return t('endSignal', { seconds });
    case 'time':
      return t('endTime');
    case 'canceled':
      return t('endCanceled');
  }
}

/** Whether the server refuses a signal until the organizer starts the broadcast again. */
export const isStopped = ({ status, endReason }: Broadcast): boolean => status === 'ended' && endReason !== null;

function inWords(t: T, broadcast: Broadcast, now: Date): string {
  const { status, source, isReceiving, liveSince, endReason, startTime, canStart, notNow, livestreamUrl } = broadcast;
  switch (status) {
    case 'canceled':
      return t('endCanceled');
    case 'ended':
      return endText(t, endReason ?? 'time');
    case 'live': {
      const since = liveSince ? t('liveSince', { when: sayMoment(liveSince, now) }) : t('liveNow');
      if (isReceiving) return t('receiving', { since, source: t(source ?? 'rtmp') });
      return t('notReceiving', { since, seconds });
    }
    case 'scheduled': {
      if (!canStart) return t('beginsAt', { when: sayMoment(startTime, now), why: notNow ? say(notNow) : '' });
      return livestreamUrl ? t('readyAddress') : t('readySend');
    }
  }
}

/** The state of the broadcast, and the controls that start and end it. */
export function StatePanel({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const { eventId, status, source, startTime, endTime, canStart, livestreamUrl } = broadcast;
  const start = useChange(eventId, () => startBroadcast(eventId));
  const stop = useChange(eventId, () => stopBroadcast(eventId));
  const [isEnding, setEnding] = useState(false);
  const now = useClock();
  const mayStart = status !== 'live' && canStart && (livestreamUrl !== null || isStopped(broadcast));
  return (
    <Panel title={t('whereItStands')}>
      <div role="status" className="grid justify-items-start gap-2">
        <Badge tone={TONES[status]}>{t(status)}</Badge>
        <p className="max-w-prose">{inWords(t, broadcast, now)}</p>
      </div>
      <Meta className="tabular">{t('span', { start: sayMoment(startTime, now), end: sayMoment(endTime, now) })}</Meta>
      {start.isError && <Notice>{explain(start.error)}</Notice>}
      {(mayStart || status === 'live') && (
        <div className="flex flex-wrap gap-3">
          {mayStart && (
            <Button pending={start.isPending} onClick={() => start.mutate()}>
              {!start.isPending && <Radio aria-hidden className="size-4" />}
              {livestreamUrl !== null ? t('goLiveAddress') : t('startAgain')}
            </Button>
          )}
          {status === 'live' && (
            <Button variant="danger" aria-haspopup="dialog" onClick={() => setEnding(true)}>
              {t('endStream')}
            </Button>
          )}
        </div>
      )}
      {status === 'scheduled' && (
        <ButtonLink to={`/livestream-checkout?eventId=${eventId}`} variant="quiet" className="justify-self-start">
          {t('changeTimes')}
        </ButtonLink>
      )}
      {isEnding && status === 'live' && (
        <ConfirmDialog
          title={t('endTitle')}
          action={t('endStream')}
          keep={t('goOn')}
          acting={t('ending')}
          mutation={{ ...stop, mutate: () => stop.mutate(undefined, { onSuccess: () => setEnding(false) }) }}
          onClose={() => setEnding(false)}
        >
          <p>{source === 'outside' ? t('endWhyOutside') : t('endWhy')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
