import { BROADCAST, BroadcastUrlBody, type Broadcast } from '@beltway/contracts/broadcast';
import { useState } from 'react';
import { useFields } from '../../../lib/form.ts';
import { explain } from '../../../lib/http.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { setAddress } from './api.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Panel } from './panel.tsx';
import { useChange } from './use-change.ts';

/** The address of a stream elsewhere: always possible, and the only way where no media server runs. */
export function AddressPanel({ broadcast }: { broadcast: Broadcast }) {
  const { eventId, livestreamUrl, status, source, ingest } = broadcast;
  const save = useChange(eventId, (body: BroadcastUrlBody) => setAddress(eventId, body));
  const remove = useChange(eventId, () => setAddress(eventId, { livestreamUrl: null }));
  const [isAsking, setAsking] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const form = useFields({
    schema: BroadcastUrlBody,
    initial: { livestreamUrl: livestreamUrl ?? '' },
    onSubmit: (body) => save.mutate(body, { onSuccess: () => setSaved(true) }),
    onChange: () => setSaved(false),
    error: save.error,
  });
  const { value, ...bound } = form.bind('livestreamUrl');
  const isShown = status === 'live' && source === 'outside';
  const takeBack = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        setAsking(false);
        setSaved(false);
        form.reset({ livestreamUrl: '' });
      },
    });
  const isOnlyWay = ingest.rtmpUrl === null && ingest.whipUrl === null;
  return (
    <Panel title="From elsewhere">
      <p className="max-w-prose">
        {isOnlyWay
          ? 'Stream at YouTube, Vimeo or any service that gives you an HLS playlist, and give its address here.'
          : 'You stream at YouTube, Vimeo or another service already? Give its address, and it is shown here.'}
      </p>
      <form {...form.props} aria-label="A stream elsewhere" className="grid gap-3">
        <TextField
          {...bound}
          value={value ?? ''}
          label="Address of your stream"
          type="url"
          inputMode="url"
          maxLength={BROADCAST.maxUrl}
          placeholder="https://"
          hint="Of a YouTube or Vimeo video, or of a playlist that ends in .m3u8."
        />
        {form.failure !== null && <Notice>{explain(form.failure)}</Notice>}
        {remove.isError && !isAsking && <Notice>{explain(remove.error)}</Notice>}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="secondary" pending={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save the address'}
          </Button>
          {livestreamUrl !== null && (
            <Button
              variant="quiet"
              pending={remove.isPending && !isAsking}
              onClick={() => (isShown ? setAsking(true) : takeBack())}
            >
              Take it away
            </Button>
          )}
          <p role="status" className="text-note text-ink-soft empty:hidden">
            {isSaved && (isShown ? 'Saved. Viewers are shown this address.' : 'Saved. It is shown when you go live.')}
          </p>
        </div>
      </form>
      {isAsking && (
        <ConfirmDialog
          title="Take the address away?"
          action="Take it away and end"
          keep="Keep it"
          pending={remove.isPending ? 'Ending…' : null}
          error={remove.error}
          onConfirm={takeBack}
          onClose={() => {
            setAsking(false);
            remove.reset();
          }}
        >
          Your live stream is shown from there: it ends with its address.
        </ConfirmDialog>
      )}
    </Panel>
  );
}
