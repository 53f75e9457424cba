import type { Broadcast, Recording } from '@beltway/contracts/media/broadcast';
import Download from 'lucide-react/icons/download';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { useClock } from '../../../lib/time/clock.ts';
import { formatCount, sayMoment } from '../../../lib/i18n/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { videoAddress } from '../addresses.ts';
import { Panel } from './panel.tsx';
import { texts } from './texts.en.ts';

/** "1 h 5 min" */
function lengthText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${Math.max(1, Math.round(seconds))} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
const sizeText = (bytes: number): string => `${formatCount(Math.max(1, Math.round(bytes / 1e6)))} MB`;

/** The recordings of the broadcast, to watch and to save. */
export function RecordingsPanel({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
  const { recordingEnabled, recordings, isRecordingPending, isTicketed } = broadcast;
  if (!recordingEnabled && recordings.length === 0) return null;
  return (
    <Panel title={t('recordings')}>
      {recordings.length > 0 ? (
        <>
          <p className="max-w-prose text-ink-soft">{isTicketed ? t('findHolders') : t('findViewers')}</p>
          <ul className="grid gap-4">
            {recordings.map((recording, index) => (
              <li key={recording.id}>
                <RecordingItem recording={recording} part={index + 1} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        !isRecordingPending && <p className="max-w-prose text-ink-soft">{t('recordedLater')}</p>
      )}
      <Meta role="status" className="empty:hidden">
        {isRecordingPending && t('madeReady')}
      </Meta>
    </Panel>
  );
}

function RecordingItem({ recording, part }: { recording: Recording; part: number }) {
  const t = useTexts(texts);
  const now = useClock();
  const { startedAt, durationSeconds, bytes, url } = recording;
  const address = videoAddress(url);
  return (
    <div className="grid gap-3">
      <p className="tabular">
        {t.rich('part', {
          part: String(part),
          when: sayMoment(startedAt, now),
          length: lengthText(durationSeconds),
          size: sizeText(bytes),
          strong: (words) => <span className="font-strong">{words}</span>,
        })}
      </p>
      {address?.isOwn ? (
        <>
          {/* eslint-disable-next-line jsx-a11y-x/media-has-caption -- recorded live: no captions exist */}
          <video
            controls
            playsInline
            preload="none"
            src={address.url}
            aria-label={t('partLabel', { part: String(part) })}
            className="aspect-video w-full rounded-md bg-black object-contain"
          />
          <a href={address.url} download className={buttonClass('secondary', 'justify-self-start')}>
            <Download aria-hidden className="size-4" />
            {t('savePart', { part: String(part) })}
          </a>
        </>
      ) : (
        <p className="text-ink-soft">{t('noRecording')}</p>
      )}
    </div>
  );
}
