import {
  MailedKind,
  NotificationKind,
  type NotificationChoices,
  type NotificationPreferences,
} from '@beltway/contracts/realtime/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { explain } from '../../lib/http/http.ts';
import { useHashSection } from '../../lib/navigation/hash-section.ts';
import { useSession } from '../../lib/session/session.ts';
import { Card } from '../../ui/card.tsx';
import { Meta } from '../../ui/meta.tsx';
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { patchPreferences, preferencesQuery, pushSubscriptionsQuery, SETTINGS_SECTION } from './api.ts';
import { Choice } from './choice.tsx';
import { texts } from './texts.en.ts';
import { ThisDevice } from './this-device.tsx';

const isMailed = (kind: NotificationKind): kind is MailedKind => MailedKind.safeParse(kind).success;

/** The notification choices for page, devices and mail. Each choice is saved immediately. */
export function Preferences() {
  const t = useTexts(texts);
  const { place, heading } = useHashSection(SETTINGS_SECTION);
  const found = useQuery(preferencesQuery());
  const { data: chosen, error } = found;
  return (
    <section
      ref={place}
      id={SETTINGS_SECTION}
      aria-labelledby="notifications-title"
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <h2 ref={heading} id="notifications-title" tabIndex={-1} className="text-title outline-none">
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

/** The choices after applying the changes. */
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
  const { user } = useSession();
  const queries = useQueryClient();
  const { queryKey } = preferencesQuery();
  const change = useAction({
    // Changes are sent in sequence.
    scope: { id: 'notification-preferences' },
    mutationKey: KEY,
    mutationFn: patchPreferences,
    onSuccess: (all) => {
      // Shows choices that were changed elsewhere. Skipped while another change is pending, because the pending choice
      // would flip back for a moment.
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
  // The choices for devices are hidden until the subscriptions are known. The choices for page and mail work without
  // them.
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
        {wantsMail && user?.emailVerified === false && <Meta>{t('notVerified')}</Meta>}
      </div>
    </Card>
  );
}
