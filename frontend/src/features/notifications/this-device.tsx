import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { Meta } from '../../ui/meta.tsx';
import { pushSubscriptionsQuery } from './api.ts';
import { Choice } from './choice.tsx';
import { pushDeviceQuery, turnOff, turnOn, type PushDevice } from './push-device.ts';
import { texts } from './texts.en.ts';

const CANNOT = { no: 'cannot', 'when-installed': 'whenInstalled', blocked: 'blocked' } as const satisfies Record<
  Exclude<PushDevice['can'], 'yes'>,
  string
>;

/**
 * Turns web push on and off for this browser, or shows why that is not possible. Hidden if the server sends no pushes.
 */
export function ThisDevice({ publicKey, endpoints }: { publicKey: string; endpoints: string[] }) {
  const t = useTexts(texts);
  const { data: device, error } = useQuery(pushDeviceQuery(publicKey));
  const endpoint = device?.can === 'yes' ? device.endpoint : null;
  const isOn = endpoint !== null && endpoints.includes(endpoint);
  const change = useAction({
    mutationFn: async (wanted: boolean) => {
      if (wanted) await turnOn(publicKey);
      else if (endpoint !== null) await turnOff(endpoint);
    },
    failed: t('notChanged'),
    refresh: [pushSubscriptionsQuery().queryKey, pushDeviceQuery(publicKey).queryKey],
  });
  const others = endpoints.length - (isOn ? 1 : 0);
  return (
    <div className="grid gap-1 border-b border-line pb-4">
      {device?.can === 'yes' ? (
        <Choice
          label={t('thisDevice')}
          checked={change.isPending ? change.variables : isOn}
          aria-busy={change.isPending}
          onChange={({ target }) => change.isPending || change.mutate(target.checked)}
        />
      ) : (
        <p>{t(device ? CANNOT[device.can] : error ? CANNOT.no : 'asking')}</p>
      )}
      <Meta>{others === 0 ? t('endHere') : t('others', { count: others })}</Meta>
    </div>
  );
}
