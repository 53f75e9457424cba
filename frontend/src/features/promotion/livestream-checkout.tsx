import type { LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { textsNow, useTexts } from '../../lib/i18n/catalog.ts';
import { serverNow } from '../../lib/time/server-clock.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { formatCents } from '../../lib/i18n/format.ts';
import { HttpError } from '../../lib/http/http.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Loading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.ts';
import { beginningQuery, paidBeforeQuery, streamSourcesQuery } from './api.ts';
import { CheckoutError, reasonOf } from './checkout-error.tsx';
import { CheckoutLayout, SettingUp } from './checkout-layout.tsx';
import { LivestreamEditor } from './livestream-form.tsx';
import { LivestreamSummary } from './livestream-summary.tsx';
import { texts as packageTexts } from './packages.texts.en.ts';
import { ofLevel, promotionSuccessPath, type Promoting } from './packages.ts';
import { Payment } from './payment.tsx';
import { refusalOf } from './promotable.ts';
import { texts } from './texts.en.ts';

/** Whether the server refused the configuration, which the organizer can correct in the editor. */
const isOfConfig = (error: unknown): boolean =>
  error instanceof HttpError &&
  (error.problem?.errors ?? []).some(({ field }) => field.startsWith('livestreamConfig')) &&
  error.status !== 409;

/** The organizer configures a live stream, then pays. Each payment belongs to one configuration. */
export function LivestreamCheckout({ event, offer: offered, userId }: Promoting) {
  const t = useTexts(texts);
  const says = useTexts(packageTexts);
  const sources = useQuery(streamSourcesQuery).data;
  const offer = { ...offered, benefits: ofLevel(offered.level, sources).benefits };
  const slot = { userId, eventId: event.id, level: offer.level };
  // Checked once, so that the card form does not disappear when the event changes. The server checks again.
  const [refusal] = useState(() => refusalOf(event, userId, new Date(serverNow())) ?? streamRefusalOf(event));
  const [config, setConfig] = useState<LivestreamConfig | null>(null);
  const [isPaying, setPaying] = useState(false);
  const before = useQuery(paidBeforeQuery(slot));
  const beginning = useQuery({
    ...beginningQuery({ ...slot, ...(config && { livestreamConfig: config }) }),
    enabled: config !== null && refusal === null,
  });
  // Opens the editor again, which shows the errors at their fields.
  const refused = config !== null && !beginning.isFetching && isOfConfig(beginning.error) ? beginning.error : null;
  useEffect(() => {
    if (refused) toast({ title: t('configRequired'), description: t('configRequiredWhy'), variant: 'destructive' });
  }, [refused, t]);
  const configure = (next: LivestreamConfig) => {
    if (refused && JSON.stringify(next) === JSON.stringify(config)) void beginning.refetch();
    else setConfig(next);
  };

  const back = (
    <ButtonLink to={eventPath(event)} variant="secondary">
      {t('returnToEvent')}
    </ButtonLink>
  );
  const paidIntent =
    before.data ?? (config && beginning.data?.kind === 'paid' ? beginning.data.paymentIntentId : undefined);
  if (paidIntent) return <Navigate replace to={promotionSuccessPath(offer.level, event.id, paidIntent)} />;
  if (refusal !== null) return <CheckoutError message={refusal} action={back} />;
  const failed = before.isError ? before : beginning.isError && config && !refused ? beginning : null;
  if (failed)
    return (
      <CheckoutError
        message={reasonOf(failed.error, offer)}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
        action={back}
      />
    );
  if (before.isPending) return <SettingUp />;

  const intent = config && beginning.data?.kind === 'payable' ? beginning.data.intent : null;
  const pay = t('payLivestream', { price: formatCents(intent?.amount ?? offer.cents) });
  return (
    <CheckoutLayout
      event={event}
      offer={offer}
      cents={intent?.amount ?? offer.cents}
      heading={t('streamLive')}
      lead={t('streamLiveLead')}
      details={<LivestreamSummary config={refused ? null : config} />}
      without={[
        ...(config && !config.recordingEnabled ? [says('recording')] : []),
        ...(config && !config.chatEnabled ? [says('chat')] : []),
      ]}
    >
      {config && !refused ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-md bg-sunken py-1.5 pl-4 pr-1.5">
            <p className="text-note">{t('configured')}</p>
            <Button variant="quiet" className="px-4 text-note" disabled={isPaying} onClick={() => setConfig(null)}>
              {t('changeConfig')}
            </Button>
          </div>
          {intent ? (
            <Payment key={intent.paymentIntentId} {...{ event, offer, userId, intent, pay }} onPaying={setPaying} />
          ) : (
            <Loading label={t('settingUp')} className="grid gap-4">
              <Skeleton className="h-14" />
              <Skeleton className="h-14" />
              <Skeleton className="h-12" />
            </Loading>
          )}
        </>
      ) : (
        <>
          <LivestreamEditor event={event} userId={userId} error={refused} onConfigured={configure} />
          <div className="grid gap-2 border-t border-line pt-5">
            <Meta id="unconfigured">{t('configRequiredBoth')}</Meta>
            <Button disabled aria-describedby="unconfigured" className="w-full lg:min-w-72 lg:justify-self-start">
              {t('configureFirst')}
            </Button>
          </div>
        </>
      )}
    </CheckoutLayout>
  );
}

/**
 * The text that refuses a second live stream, because an event can have only one at a time. Null if no live stream is
 * scheduled or live.
 */
const streamRefusalOf = ({ title, isLivestream, livestreamStatus }: Promoting['event']): string | null =>
  isLivestream && (livestreamStatus === 'scheduled' || livestreamStatus === 'live')
    ? textsNow(texts)('hasStream', { title })
    : null;
