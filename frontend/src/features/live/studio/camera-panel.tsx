import type { Broadcast } from '@beltway/contracts/media/broadcast';
import CameraIcon from 'lucide-react/icons/camera';
import Mic from 'lucide-react/icons/mic';
import MicOff from 'lucide-react/icons/mic-off';
import Square from 'lucide-react/icons/square';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { browserCamera, type Camera, type CameraState } from './camera.ts';
import { Panel } from './panel.tsx';
import { isStopped } from './state-panel.tsx';
import { texts } from './texts.en.ts';
import { say } from '../../../lib/i18n/problems.ts';

const SAID = {
  asking: 'asking',
  ready: 'ready',
  connecting: 'connecting',
  'on-air': 'onAir',
  reconnecting: 'reconnecting',
} as const satisfies Record<Exclude<CameraState['phase'], 'off'>, string>;

/** Shows this browser's camera as a preview, then on air. Leaving the page turns the camera off. */
export function CameraPanel({ broadcast, whipUrl }: { broadcast: Broadcast; whipUrl: string }) {
  const t = useTexts(texts);
  const [camera] = useState(browserCamera);
  const { phase, stream, hasSound, isMuted, fault } = useSyncExternalStore(camera.subscribe, camera.get);
  const isSending = phase === 'connecting' || phase === 'on-air' || phase === 'reconnecting';
  useLeaving(camera, isSending);
  const isOver = broadcast.status === 'ended' || broadcast.status === 'canceled';
  useEffect(() => {
    if (isOver) camera.stop();
  }, [camera, isOver]);
  const refused = isStopped(broadcast)
    ? t('wasEnded')
    : broadcast.canStart
      ? null
      : broadcast.notNow && say(broadcast.notNow);
  return (
    <Panel title={t('fromCamera')}>
      {stream && (
        <div className="relative aspect-video overflow-hidden rounded-md bg-sunken">
          <Preview stream={stream} />
          {phase === 'on-air' && (
            <span className="absolute top-3 left-3">
              <Badge tone="danger">{t('onAirMark')}</Badge>
            </span>
          )}
        </div>
      )}
      <p role="status" className="max-w-prose empty:hidden">
        {phase !== 'off' && t(SAID[phase])}
        {phase === 'ready' && !hasSound && t('noMicrophone')}
        {phase !== 'off' && hasSound && isMuted && t('muted')}
      </p>
      {phase === 'off' && <p className="max-w-prose">{t('cameraWhy')}</p>}
      {fault && <Notice>{fault}</Notice>}
      {phase === 'ready' && refused && <Meta className="max-w-prose">{refused}</Meta>}
      <div className="flex flex-wrap gap-3">
        {phase === 'off' || phase === 'asking' ? (
          <Button variant="secondary" pending={phase === 'asking'} onClick={() => void camera.turnOn()}>
            {phase === 'off' && <CameraIcon aria-hidden className="size-4" />}
            {t('useCamera')}
          </Button>
        ) : (
          <>
            {isSending ? (
              <Button variant="secondary" onClick={() => camera.stop()}>
                <Square aria-hidden className="size-4" />
                {t('stopSending')}
              </Button>
            ) : (
              <Button disabled={refused !== null} onClick={() => void camera.goLive(whipUrl)}>
                {t('goLiveCamera')}
              </Button>
            )}
            {hasSound && (
              <Button variant="secondary" aria-pressed={isMuted} onClick={() => camera.mute(!isMuted)}>
                {isMuted ? <MicOff aria-hidden className="size-4" /> : <Mic aria-hidden className="size-4" />}
                {t('mute')}
              </Button>
            )}
            {!isSending && (
              <Button variant="quiet" onClick={camera.turnOff}>
                {t('cameraOff')}
              </Button>
            )}
          </>
        )}
      </div>
      {isSending && <Meta className="max-w-prose">{t('afterStop')}</Meta>}
    </Panel>
  );
}

function Preview({ stream }: { stream: MediaStream }) {
  const t = useTexts(texts);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <video
      ref={video}
      autoPlay
      muted
      playsInline
      aria-label={t('cameraShows')}
      className="absolute inset-0 size-full object-contain"
    />
  );
}

/** Turns the camera off when the user leaves the page. While on air, the browser asks for confirmation first. */
function useLeaving(camera: Camera, isSending: boolean): void {
  useEffect(() => {
    const leave = () => camera.turnOff();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [camera]);
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
}
