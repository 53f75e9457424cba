import { MAX_ORDER_MESSAGE, OrderMessageBody } from '@beltway/contracts/ticketing/orders';
import { useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../actions/use-action.ts';
import { useFields } from '../forms/form.ts';
import { post } from '../http/http.ts';
import { useTexts } from '../i18n/catalog.ts';
import { keyHeaders, orderKeys } from './orders.ts';
import { texts } from './texts.en.ts';

interface MessageDialogProps {
  orderId: string;
  to: 'organizer' | 'buyer';
  description: string;
  onClose: () => void;
}

/**
 * Sends a message between an order's buyer and organizer, by mail and without revealing email addresses
 * (services/ticketing/PRODUCT.md).
 */
export function MessageDialog({ orderId, to, description, onClose }: MessageDialogProps) {
  const t = useTexts(texts);
  const { pathname } = useLocation();
  /**
   * The idempotency key. Each retry of a message sends the same key; a changed text is a new message with a new key.
   */
  const key = useRef(crypto.randomUUID());
  const send = useAction({
    mutationFn: (body: OrderMessageBody) =>
      post(`/api/orders/${orderId}/messages`, body, undefined, {
        headers: { ...keyHeaders(orderKeys.get(orderId)), 'idempotency-key': key.current },
      }),
    done: { title: t('messageSent'), description: t('messageSentWhy'), at: pathname },
    onSuccess: onClose,
  });
  const form = useFields({
    schema: OrderMessageBody,
    initial: { text: '' },
    onSubmit: (body) => send.mutate(body),
    onChange: () => {
      key.current = crypto.randomUUID();
    },
    error: send.error,
  });
  return (
    <FormDialog
      form={form}
      title={t(to === 'organizer' ? 'messageOrganizer' : 'messageBuyer')}
      description={[description, t('messageHides')].join(' ')}
      action={t('send')}
      acting={t('sending')}
      pending={send.isPending}
      onClose={onClose}
    >
      <TextField {...form.bind('text')} label={t('yourMessage')} as={Textarea} rows={5} maxLength={MAX_ORDER_MESSAGE} />
    </FormDialog>
  );
}
