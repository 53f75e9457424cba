import type { Broadcast, Recording } from '@beltway/contracts/broadcast';
import { Download } from 'lucide-react';
import { formatCount, sayMoment } from '../../../lib/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { videoAddress } from '../addresses.ts';
import { Panel } from './panel.tsx';

/** "1 h 5 min" */
function lengthText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.max(1, Math.round(seconds))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
const sizeText = (bytes: number): string => `${formatCount(Math.max(1, Math.round(bytes / 1e6)))} MB`;

/** What was kept of the broadcast, to look at and to save. */
export function RecordingsPanel({ broadcast }: { broadcast: Broadcast }) {
  const { recordingEnabled, recordings, isRecordingPending, isTicketed } = broadcast;
  if (!recordingEnabled && recordings.length === 0) return null;
  return (
    <Panel title="Recordings">
      {recordings.length > 0 ? (
        <>
          <p className="max-w-prose text-ink-soft">
            When the live stream is over, {isTicketed ? 'ticket holders' : 'viewers'} find them in its place.
          </p>
          <ul className="grid gap-4">
            {recordings.map((recording, index) => (
              <li key={recording.id}>
                <RecordingItem recording={recording} part={index + 1} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        !isRecordingPending && (
          <p className="max-w-prose text-ink-soft">
            What you send is recorded, and is here some minutes after it ends. What is shown from elsewhere is not.
          </p>
        )
      )}
      <p role="status" className="text-note text-ink-soft empty:hidden">
        {isRecordingPending && 'A recording is being made ready.'}
      </p>
    </Panel>
  );
}

function RecordingItem({ recording, part }: { recording: Recording; part: number }) {
  const { startedAt, durationSeconds, bytes, url } = recording;
  const address = videoAddress(url);
  return (
    <div className="grid gap-3">
      <p className="tabular">
        <span className="font-strong">Part {part}</span> · {sayMoment(startedAt)} · {lengthText(durationSeconds)} ·{' '}
        {sizeText(bytes)}
      </p>
      {address?.isOwn ? (
        <>
          {/* eslint-disable-next-line jsx-a11y-x/media-has-caption -- recorded live: nobody has written down what is said */}
          <video
            controls
            playsInline
            preload="none"
            src={address.url}
            aria-label={`Part ${part} of the recording`}
            className="aspect-video w-full rounded-md bg-black object-contain"
          />
          <a href={address.url} download className={buttonClass('secondary', 'justify-self-start')}>
            <Download aria-hidden className="size-4" />
            Save part {part}
          </a>
        </>
      ) : (
        <p className="text-ink-soft">This recording cannot be shown.</p>
      )}
    </div>
  );
}
