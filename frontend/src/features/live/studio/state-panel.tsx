import { BROADCAST, type Broadcast } from '@beltway/contracts/broadcast';
import { Radio } from 'lucide-react';
import { useState } from 'react';
import { sayMoment } from '../../../lib/format.ts';
import { explain } from '../../../lib/http.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { startBroadcast, stopBroadcast } from './api.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Panel } from './panel.tsx';
import { useChange } from './use-change.ts';

const BADGES: Record<Broadcast['status'], readonly [tone: BadgeTone, text: string]> = {
  scheduled: ['neutral', 'Scheduled'],
  live: ['danger', 'LIVE'],
  ended: ['inverse', 'Ended'],
  cancelled: ['danger', 'Cancelled'],
};
const SOURCES: Record<NonNullable<Broadcast['source']>, string> = {
  rtmp: 'from your encoder',
  whip: 'from a browser’s camera',
  outside: 'from your address',
  clip: 'with a made-up clip of the demo, from no camera',
};
const ENDS: Record<NonNullable<Broadcast['endReason']>, string> = {
  stopped: 'It was ended here. Viewers see that it is over.',
  signal: `Its pictures stopped and did not come back within ${BROADCAST.reconnectSeconds} seconds.`,
  time: 'Its hours are over.',
  cancelled: 'The event was cancelled, and its live stream with it.',
};

/** Whether a signal is refused until the broadcast is started again. */
export const isStopped = ({ status, endReason }: Broadcast): boolean => status === 'ended' && endReason !== null;

function inWords(broadcast: Broadcast): string {
  const { status, source, isReceiving, liveSince, endReason, startTime, canStart, notNow, livestreamUrl } = broadcast;
  switch (status) {
    case 'cancelled':
      return ENDS.cancelled;
    case 'ended':
      return ENDS[endReason ?? 'time'];
    case 'live': {
      const since = liveSince ? `Live since ${sayMoment(liveSince)}` : 'Live';
      if (isReceiving) return `${since}, ${SOURCES[source ?? 'rtmp']}.`;
      return `${since}, but no pictures come right now. If none come back within ${BROADCAST.reconnectSeconds} seconds, it ends.`;
    }
    case 'scheduled': {
      if (!canStart) return `It begins ${sayMoment(startTime)}. ${notNow ?? ''}`;
      return livestreamUrl
        ? 'Ready. Go live from your address, or send pictures: the first one is live.'
        : 'Ready. The first picture that you send is live.';
    }
  }
}

/** Where the broadcast stands, and what begins and ends it. */
export function StatePanel({ broadcast }: { broadcast: Broadcast }) {
  const { eventId, status, source, startTime, endTime, canStart, livestreamUrl } = broadcast;
  const start = useChange(eventId, () => startBroadcast(eventId));
  const stop = useChange(eventId, () => stopBroadcast(eventId));
  const [isEnding, setEnding] = useState(false);
  const [tone, text] = BADGES[status];
  const mayStart = status !== 'live' && canStart && (livestreamUrl !== null || isStopped(broadcast));
  return (
    <Panel title="Where it stands">
      <div role="status" className="grid justify-items-start gap-2">
        <Badge tone={tone}>{text}</Badge>
        <p className="max-w-prose">{inWords(broadcast)}</p>
      </div>
      <p className="text-note text-ink-soft tabular">
        {sayMoment(startTime)} to {sayMoment(endTime)}
      </p>
      {start.isError && <Notice>{explain(start.error)}</Notice>}
      {(mayStart || status === 'live') && (
        <div className="flex flex-wrap gap-3">
          {mayStart && (
            <Button pending={start.isPending} onClick={() => start.mutate()}>
              {!start.isPending && <Radio aria-hidden className="size-4" />}
              {livestreamUrl !== null ? 'Go live from your address' : 'Start again'}
            </Button>
          )}
          {status === 'live' && (
            <Button variant="danger" aria-haspopup="dialog" onClick={() => setEnding(true)}>
              End the live stream
            </Button>
          )}
        </div>
      )}
      {isEnding && status === 'live' && (
        <ConfirmDialog
          title="End the live stream?"
          action="End the live stream"
          keep="Go on"
          pending={stop.isPending ? 'Ending…' : null}
          error={stop.error}
          onConfirm={() => stop.mutate(undefined, { onSuccess: () => setEnding(false) })}
          onClose={() => setEnding(false)}
        >
          Viewers see at once that it is over{source !== 'outside' && ', and no more pictures are taken in'}. Until its
          hours are over you can start it again.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
