import {
  MailedKind,
  NotificationKind,
  type NotificationChoices,
  type NotificationPreferences,
} from '@beltway/contracts/realtime/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { patchPreferences, preferencesQuery, pushSubscriptionsQuery } from './api.ts';
import { Choice } from './choice.tsx';
import { texts } from './texts.en.ts';
import { ThisDevice } from './this-device.tsx';

const isMailed = (kind: NotificationKind): kind is MailedKind => MailedKind.safeParse(kind).success;

/** What one is told of, on the page, on devices and by mail. Each choice counts at once. */
export function Preferences() {
  const t = useTexts(texts);
  const found = useQuery(preferencesQuery());
  const { data: chosen, error } = found;
  return (
    <section id="notifications" aria-labelledby="notifications-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="notifications-title" className="text-title">
        {t('title')}
      </h2>
      {chosen ? (
        <Choices chosen={chosen} />
      ) : error ? (
        <ErrorState
          title={t('choicesNotLoaded')}
          message={explain(error)}
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label={t('choicesLoading')}>
          <Skeleton className="h-96 rounded-lg" />
        </Loading>
      )}
    </section>
  );
}

const KEY = ['notification-preferences'];

/** The choices with some that changed. */
const merged = (
  { page, mail, push, isDaily }: NotificationPreferences,
  changed: NotificationChoices,
): NotificationPreferences => ({
  page: { ...page, ...changed.page },
  mail: { ...mail, ...changed.mail },
  push: { ...push, ...changed.push },
  isDaily: changed.isDaily ?? isDaily,
});

function Choices({ chosen }: { chosen: NotificationPreferences }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const { queryKey } = preferencesQuery();
  const change = useAction({
    // One after the other, as they were made.
    scope: { id: 'notification-preferences' },
    mutationKey: KEY,
    mutationFn: patchPreferences,
    onSuccess: (all) => {
      // With what was chosen elsewhere meanwhile; an answer from before the next choice would take that back for a moment.
      if (queries.isMutating({ mutationKey: KEY }) === 1) queries.setQueryData(queryKey, all);
    },
    failed: t('notSaved'),
    onError: () => queries.invalidateQueries({ queryKey }),
  });
  const choose = (changed: NotificationChoices) => {
    queries.setQueryData(queryKey, (before) => before && merged(before, changed));
    change.mutate(changed);
  };
  const { page, mail, push, isDaily } = chosen;
  // While that is not known nothing is said of devices: what comes by page and mail is chosen without them.
  const { publicKey = null, endpoints = [] } = useQuery(pushSubscriptionsQuery()).data ?? {};
  const wantsMail = Object.values(mail).some(Boolean);
  return (
    <Card as="div" ground="none" className="gap-5">
      {publicKey !== null && <ThisDevice publicKey={publicKey} endpoints={endpoints} />}
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {NotificationKind.options.map((kind) => (
          <li
            key={kind}
            className="grid gap-x-6 border-b border-line py-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
          >
            <span className="font-strong">{t(kind)}</span>
            <span role="group" aria-label={t(kind)} className="flex flex-wrap items-center gap-x-5">
              <Choice
                label={t('onPage')}
                checked={page[kind]}
                onChange={({ target }) => choose({ page: { [kind]: target.checked } })}
              />
              {publicKey !== null && (
                <Choice
                  label={t('onDevices')}
                  checked={push[kind]}
                  onChange={({ target }) => choose({ push: { [kind]: target.checked } })}
                />
              )}
              {isMailed(kind) ? (
                <Choice
                  label={t('byMail')}
                  className="sm:w-32"
                  checked={mail[kind]}
                  onChange={({ target }) => choose({ mail: { [kind]: target.checked } })}
                />
              ) : (
                <Meta as="span" className="sm:w-32">
                  {t('alwaysByMail')}
                </Meta>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className="grid gap-1">
        <Choice label={t('daily')} checked={isDaily} onChange={({ target }) => choose({ isDaily: target.checked })} />
        <Meta>{t(isDaily && !wantsMail ? 'chooseAbove' : 'atOnce')}</Meta>
      </div>
    </Card>
  );
}
