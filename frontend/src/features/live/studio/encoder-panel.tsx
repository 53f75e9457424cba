import type { Broadcast, StreamKey } from '@beltway/contracts/media/broadcast';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { useClock } from '../../../lib/time/clock.ts';
import { sayMoment } from '../../../lib/i18n/format.ts';
import { explain } from '../../../lib/http/http.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { broadcastQuery, makeKey } from './api.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { CopyLine } from './copy-line.tsx';
import { Panel } from './panel.tsx';
import { texts } from './texts.en.ts';

/** The server address and the stream key for an encoder. The key is shown once and not stored in the browser. */
export function EncoderPanel({ broadcast, rtmpUrl }: { broadcast: Broadcast; rtmpUrl: string }) {
  const t = useTexts(texts);
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
  const now = useClock();
  // Whether a newer key was created later, on this page or elsewhere.
  const isOld = made && streamKey && Date.parse(streamKey.madeAt) > Date.parse(made.madeAt);
  const shown = isOld ? null : made;
  const known = streamKey ?? made;
  return (
    <Panel title={t('fromEncoder')}>
      <ol className="grid list-decimal gap-1 pl-5">
        <li>{t('obsSettings')}</li>
        <li>{t('obsPaste')}</li>
        <li>{t('obsStart')}</li>
      </ol>
      <CopyLine label={t('server')} copied={t('serverCopied')} value={rtmpUrl} />
      {shown ? (
        <div className="grid gap-2">
          <CopyLine label={t('streamKey')} copied={t('streamKeyCopied')} value={shown.streamKey} />
          <Meta className="max-w-prose">{t('keyOnce')}</Meta>
        </div>
      ) : (
        <p className="max-w-prose">
          {streamKey ? t('keyEnds', { ending: streamKey.ending, when: sayMoment(streamKey.madeAt, now) }) : t('noKey')}
        </p>
      )}
      {make.isError && !isAsking && <Notice>{explain(make.error)}</Notice>}
      {status !== 'canceled' && (
        <Button
          variant="secondary"
          className="justify-self-start"
          pending={make.isPending && !isAsking}
          {...(known && { 'aria-haspopup': 'dialog' as const })}
          onClick={() => (known ? setAsking(true) : make.mutate())}
        >
          {!make.isPending && <KeyRound aria-hidden className="size-4" />}
          {known ? t('newKey') : t('makeKey')}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('newKeyTitle')}
          action={t('newKey')}
          keep={t('keepKey')}
          acting={t('making')}
          mutation={make}
          onClose={() => {
            setAsking(false);
            make.reset();
          }}
        >
          <p>{status === 'live' && source === 'rtmp' ? t('oldKeyCut') : t('oldKeyStops')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
