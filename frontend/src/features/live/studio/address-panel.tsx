import { BROADCAST, BroadcastUrlBody, type Broadcast } from '@beltway/contracts/media/broadcast';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/catalog.ts';
import { useFields } from '../../../lib/forms/form.ts';
import { explain } from '../../../lib/http/http.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { setAddress } from './api.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Meta } from '../../../ui/meta.tsx';
import { Panel } from './panel.tsx';
import { texts } from './texts.en.ts';
import { useChange } from './use-change.ts';

const SECURE = 'https://';

/** Sets the URL of a stream on another site. Always available, and the only option without a media server. */
export function AddressPanel({ broadcast }: { broadcast: Broadcast }) {
  const t = useTexts(texts);
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
    <Panel title={t('fromElsewhere')}>
      <p className="max-w-prose">{isOnlyWay ? t('onlyWay') : t('otherWay')}</p>
      <form {...form.props} aria-label={t('streamElsewhere')} className="grid gap-3">
        <TextField
          {...bound}
          value={value ?? ''}
          label={t('address')}
          type="url"
          inputMode="url"
          maxLength={BROADCAST.maxUrl}
          placeholder={SECURE}
          hint={t('addressHint')}
        />
        {form.failure !== null && <Notice>{explain(form.failure)}</Notice>}
        {remove.isError && !isAsking && <Notice>{explain(remove.error)}</Notice>}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="secondary" pending={save.isPending}>
            {save.isPending ? t('saving') : t('saveAddress')}
          </Button>
          {livestreamUrl !== null && (
            <Button
              variant="quiet"
              pending={remove.isPending && !isAsking}
              onClick={() => (isShown ? setAsking(true) : takeBack())}
            >
              {t('takeAway')}
            </Button>
          )}
          <Meta role="status" className="empty:hidden">
            {isSaved && (isShown ? t('savedShown') : t('savedLater'))}
          </Meta>
        </div>
      </form>
      {isAsking && (
        <ConfirmDialog
          title={t('takeAwayTitle')}
          action={t('takeAwayEnd')}
          keep={t('keepIt')}
          acting={t('ending')}
          mutation={{ ...remove, mutate: takeBack }}
          onClose={() => {
            setAsking(false);
            remove.reset();
          }}
        >
          <p>{t('takeAwayWhy')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
