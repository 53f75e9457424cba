import type { Broadcast, StreamKey } from '@beltway/contracts/broadcast';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { sayMoment } from '../../../lib/format.ts';
import { explain } from '../../../lib/http.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { broadcastQuery, makeKey } from './api.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { CopyLine } from './copy-line.tsx';
import { Panel } from './panel.tsx';

/** Where an encoder sends to, and its key: shown once, kept nowhere in the browser. */
export function EncoderPanel({ broadcast, rtmpUrl }: { broadcast: Broadcast; rtmpUrl: string }) {
  const { eventId, streamKey, status, source } = broadcast;
  const queries = useQueryClient();
  const [made, setMade] = useState<StreamKey | null>(null);
  const [isAsking, setAsking] = useState(false);
  const make = useMutation({
    mutationFn: () => makeKey(eventId),
    onSuccess: (key) => {
      setMade(key);
      setAsking(false);
      void queries.invalidateQueries({ queryKey: broadcastQuery(eventId).queryKey });
    },
  });
  // Somebody has made another one since, here or elsewhere.
  const isOld = made && streamKey && Date.parse(streamKey.madeAt) > Date.parse(made.madeAt);
  const shown = isOld ? null : made;
  const known = streamKey ?? made;
  return (
    <Panel title="From an encoder such as OBS">
      <ol className="grid list-decimal gap-1 pl-5">
        <li>In OBS open Settings, Stream, and choose ‘Custom…’ as the service.</li>
        <li>Paste the server and the stream key from here.</li>
        <li>Under Output set the keyframe interval to 1 s, then press ‘Start Streaming’: the first picture is live.</li>
      </ol>
      <CopyLine label="Server" value={rtmpUrl} />
      {shown ? (
        <div className="grid gap-2">
          <CopyLine label="Stream key" value={shown.streamKey} />
          <p className="max-w-prose text-note text-ink-soft">
            Copy it now: it is shown this once. Who has it can send pictures to your live stream.
          </p>
        </div>
      ) : (
        <p className="max-w-prose">
          {streamKey
            ? `Your stream key ends in ${streamKey.ending}. It was made ${sayMoment(streamKey.madeAt)} and shown then; who lost it makes a new one.`
            : 'There is no stream key yet. It is shown once, when it is made.'}
        </p>
      )}
      {make.isError && !isAsking && <Notice>{explain(make.error)}</Notice>}
      {status !== 'cancelled' && (
        <Button
          variant="secondary"
          className="justify-self-start"
          pending={make.isPending && !isAsking}
          {...(known && { 'aria-haspopup': 'dialog' as const })}
          onClick={() => (known ? setAsking(true) : make.mutate())}
        >
          {!make.isPending && <KeyRound aria-hidden className="size-4" />}
          {known ? 'Make a new key' : 'Make a stream key'}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Make a new stream key?"
          action="Make a new key"
          keep="Keep the old key"
          pending={make.isPending ? 'Making…' : null}
          error={make.error}
          onConfirm={() => make.mutate()}
          onClose={() => {
            setAsking(false);
            make.reset();
          }}
        >
          The old key stops at once.
          {status === 'live' && source === 'rtmp'
            ? ' Your encoder is cut off, and has 30 seconds to come back with the new key before the live stream ends.'
            : ' An encoder that has it needs the new one.'}
        </ConfirmDialog>
      )}
    </Panel>
  );
}
