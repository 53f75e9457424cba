import { Order } from '@beltway/contracts/ticketing/tickets';
import { useQueryClient } from '@tanstack/react-query';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { post } from '../../lib/http/http.ts';
import { keyHeaders, orderKeys, orderPath, orderQuery } from '../../lib/orders/orders.ts';
import { signInPath } from '../../lib/navigation/return-path.ts';
import { useSession } from '../../lib/session/session.ts';
import { tabStorage } from '../../lib/storage/tab-storage.ts';
import { Button } from '../../ui/button.tsx';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

/**
 * Storage key of the request to save the order, set when a guest leaves to sign in. Stored in the tab, not in the URL,
 * so that no link can save an order to an account.
 */
const slot = (orderId: string) => `beltway.save-order.${orderId}`;

/** Saves a guest's order to an account: immediately, or after signing in or registering. */
export function SaveToAccount({ order }: { order: Order }) {
  const t = useTexts(texts);
  const { token } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { orderId, quantity, event } = order;
  const claim = useAction({
    mutationFn: () =>
      post(`/api/orders/${orderId}/claim`, undefined, Order, { headers: keyHeaders(orderKeys.get(orderId)) }),
    done: { title: t('savedToAccount'), description: t('savedToAccountWhy') },
    onSuccess: (saved) => {
      queries.setQueryData(orderQuery(orderId).queryKey, saved);
      void queries.invalidateQueries({ queryKey: ['/api/tickets/my-tickets'] });
    },
    failed: t('notSaved'),
  });

  const comeBack = useEffectEvent(() => {
    if (!order.claimable || tabStorage.get(slot(orderId)) === null) return;
    tabStorage.remove(slot(orderId));
    claim.mutate();
  });
  useEffect(() => {
    if (token) comeBack();
  }, [token]);

  if (!order.claimable) return null;
  const save = () => {
    if (token) return claim.mutate();
    tabStorage.set(slot(orderId), '1');
    void navigate(`${signInPath(orderPath({ eventId: event.id, quantity, orderId }))}&tab=register`);
  };
  return (
    <Button className="col-span-full" pending={claim.isPending} onClick={save}>
      {!claim.isPending && <UserRoundPlus aria-hidden className="size-4 shrink-0" />}
      {claim.isPending ? t('saving') : token ? t('saveToMine') : t('saveToOne')}
    </Button>
  );
}
