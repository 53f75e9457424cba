import { Broadcast } from '@beltway/contracts/media/broadcast';
import { Event } from '@beltway/contracts/catalog/events';
import type { LivestreamConfig } from '@beltway/contracts/catalog/livestream-config';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { eventPath } from '../../lib/events/event-facts.ts';
import { explain, put } from '../../lib/http/http.ts';
import { apiQuery } from '../../lib/http/query.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { CheckoutError } from './checkout-error.tsx';
import { SettingUp } from './checkout-layout.tsx';
import { LivestreamCheckout } from './livestream-checkout.tsx';
import { formOf } from './livestream-config.ts';
import { LivestreamEditor } from './livestream-form.tsx';
import type { Promoting } from './packages.ts';
import { texts } from './texts.en.ts';

/** Buys a live stream, or edits a scheduled live stream of this account. */
export function Livestream(of: Promoting) {
  const { event, userId } = of;
  // Read once, so that the form stays open when the stream changes.
  const [isChanged] = useState(
    () => event.isLivestream && event.livestreamStatus === 'scheduled' && event.userId === userId,
  );
  return isChanged ? <EditLivestream {...of} /> : <LivestreamCheckout {...of} />;
}

function EditLivestream({ event, userId }: Promoting) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const found = useQuery({ ...apiQuery(Broadcast, '/api/broadcasts', event.id), staleTime: 0, gcTime: 0 });
  const save = useAction({
    mutationFn: (config: LivestreamConfig) => put(`/api/events/${event.id}/livestream`, config, Event),
    done: { title: t('streamChanged'), description: t('streamChangedWhy') },
    onSuccess: (changed) => queries.setQueryData(['/api/events', event.id], changed),
  });
  const back = (
    <ButtonLink to={eventPath(event)} variant="secondary">
      {t('returnToEvent')}
    </ButtonLink>
  );
  if (found.isLoadingError)
    return (
      <CheckoutError
        message={explain(found.error)}
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
        action={back}
      />
    );
  if (!found.data) return <SettingUp />;
  return (
    <div className="page grid max-w-xl grid-cols-1 gap-5 py-6 lg:py-12">
      <header className="grid gap-1">
        <h1 className="text-heading [overflow-wrap:anywhere]">{t('changeStream', { title: event.title })}</h1>
        <Meta>{t('changeStreamLead')}</Meta>
      </header>
      {save.isError && <Notice>{explain(save.error)}</Notice>}
      <LivestreamEditor
        {...{ event, userId, error: save.error }}
        current={formOf(found.data)}
        onConfigured={(config) => save.mutate(config)}
      />
      {back}
    </div>
  );
}
