import { OrderAddressBody, type ManagedOrder } from '@beltway/contracts/ticketing/orders';
import { admits } from '@beltway/contracts/ticketing/ticket-status';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../actions/use-action.ts';
import { useFields } from '../forms/form.ts';
import { put } from '../http/http.ts';
import { useTexts } from '../i18n/catalog.ts';
import { MailAgain } from '../orders/mail-again.tsx';
import { MessageDialog } from '../orders/message-dialog.tsx';
import { texts as messageTexts } from '../orders/texts.en.ts';
import { managedOrderQuery } from './managed-order.tsx';
import { Part } from './parts.tsx';
import { texts } from './texts.en.ts';

/**
 * The actions of an organizer or admin for a buyer: correct the email address, mail the tickets again, send a message.
 */
export function OrderHelp({ order, tickets }: Pick<ManagedOrder, 'order' | 'tickets'>) {
  const t = useTexts(texts);
  const m = useTexts(messageTexts);
  const [open, setOpen] = useState<'address' | 'message' | null>(null);
  const { orderId, ticketHolderEmail: email, orderNumber } = order;
  const close = () => setOpen(null);
  if (!email) return null;
  return (
    <Part title={t('help')}>
      <li>{t('mailsGoTo', { email })}</li>
      <li className="flex flex-wrap gap-x-8">
        <Button variant="quiet" className="-ml-5" onClick={() => setOpen('address')}>
          {t('correctAddress')}
        </Button>
        {tickets.some(({ status }) => admits(status)) && <MailAgain order={order} />}
        <Button variant="quiet" className="-ml-5" onClick={() => setOpen('message')}>
          {m('messageBuyer')}
        </Button>
        {open === 'address' && <AddressDialog orderId={orderId} email={email} onClose={close} />}
        {open === 'message' && (
          <MessageDialog
            orderId={orderId}
            to="buyer"
            description={orderNumber ? t('aboutOrder', { number: orderNumber }) : ''}
            onClose={close}
          />
        )}
      </li>
    </Part>
  );
}

function AddressDialog({ orderId, email, onClose }: { orderId: string; email: string; onClose: () => void }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const { pathname } = useLocation();
  const correct = useAction({
    mutationFn: (body: OrderAddressBody) => put(`/api/orders/${orderId}/address`, body, undefined),
    done: (_, { email: corrected }) => ({
      title: t('addressCorrected'),
      description: t('addressCorrectedWhy', { email: corrected }),
      at: pathname,
    }),
    onSuccess: (_, { email: corrected }) => {
      // Updates the cache instead of refetching, because each request writes an audit entry.
      queries.setQueryData(
        managedOrderQuery(orderId).queryKey,
        (known) => known && { ...known, order: { ...known.order, ticketHolderEmail: corrected } },
      );
      onClose();
    },
    refresh: [['/api/tickets/customers']],
  });
  const form = useFields({
    schema: OrderAddressBody,
    initial: { email },
    onSubmit: (body) => correct.mutate(body),
    error: correct.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('correctAddress')}
      description={t('correctAddressWhy')}
      action={t('correctAndSend')}
      acting={t('correcting')}
      pending={correct.isPending}
      disabled={form.values.email.trim().toLowerCase() === email.toLowerCase()}
      onClose={onClose}
    >
      <TextField
        {...form.bind('email')}
        label={t('buyersEmail')}
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        maxLength={254}
      />
    </FormDialog>
  );
}
