import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { explain } from '../../lib/http.ts';
import { toast } from '../../ui/toast.ts';
import { pushSubscriptionsQuery } from './api.ts';
import { Choice } from './choice.tsx';
import { pushDeviceQuery, turnOff, turnOn, type PushDevice } from './push-device.ts';

const CANNOT: Record<Exclude<PushDevice['can'], 'yes'>, string> = {
  no: 'This browser cannot show notifications while Beltway is closed.',
  'when-installed':
    'On iPhone and iPad notifications come to the installed app: choose Share, then ‘Add to Home Screen’, and open Beltway from there.',
  blocked: 'This browser blocks notifications of Beltway. Allow them in its settings for this site, and come back.',
};

/** Turns web push on and off for this browser, and says why where that cannot be. Nothing where the server sends none. */
export function ThisDevice({ publicKey, endpoints }: { publicKey: string; endpoints: string[] }) {
  const queries = useQueryClient();
  const { data: device, error } = useQuery(pushDeviceQuery(publicKey));
  const endpoint = device?.can === 'yes' ? device.endpoint : null;
  const isOn = endpoint !== null && endpoints.includes(endpoint);
  const change = useMutation({
    mutationFn: async (wanted: boolean) => {
      if (wanted) await turnOn(publicKey);
      else if (endpoint !== null) await turnOff(endpoint);
    },
    onError: (failed) => toast({ title: 'Not changed', description: explain(failed), variant: 'destructive' }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: pushSubscriptionsQuery().queryKey }),
        queries.invalidateQueries({ queryKey: pushDeviceQuery(publicKey).queryKey }),
      ]),
  });
  const others = endpoints.length - (isOn ? 1 : 0);
  return (
    <div className="grid gap-1 border-b border-line pb-4">
      {device?.can === 'yes' ? (
        <Choice
          label="Show notifications on this device, also while Beltway is closed"
          checked={change.isPending ? change.variables : isOn}
          aria-busy={change.isPending}
          onChange={({ target }) => change.isPending || change.mutate(target.checked)}
        />
      ) : (
        <p>{device ? CANNOT[device.can] : error ? CANNOT.no : 'This browser is being asked …'}</p>
      )}
      <p className="text-note text-ink-soft">
        {others === 0
          ? 'They end when you sign out on this device.'
          : `${others === 1 ? 'One other device shows' : `${others} other devices show`} them too, until you sign out there.`}
      </p>
    </div>
  );
}
