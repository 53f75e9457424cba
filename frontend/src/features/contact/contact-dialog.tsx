import { ContactBody, PhoneNumber } from '@beltway/contracts/identity/contact';
import { useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { post } from '../../lib/http/http.ts';
import { useSession } from '../../lib/session/session.ts';
import { Textarea, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useAction } from '../../lib/actions/use-action.ts';
import { texts } from './texts.en.ts';

const ContactSchema = ContactBody.extend({ phone: PhoneNumber });

/** A message to the Beltway team, with or without an account (services/identity/PRODUCT.md#contact). */
export function ContactDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { user } = useSession();
  const { pathname } = useLocation();
  /**
   * The idempotency key. Each retry of a message sends the same key; a changed text is a new message with a new key.
   */
  const key = useRef(crypto.randomUUID());
  const send = useAction({
    mutationFn: (body: ContactBody) =>
      post('/api/contact', body, undefined, { headers: { 'idempotency-key': key.current } }),
    done: { title: t('sent'), description: t('sentWhy'), at: pathname },
    onSuccess: onClose,
    failed: { title: t('failed'), description: t('failedWhy') },
  });
  const form = useFields({
    schema: ContactSchema,
    initial: { email: user?.email ?? '', phone: '', comments: '' },
    onSubmit: (body) => send.mutate(body),
    onChange: () => {
      key.current = crypto.randomUUID();
    },
    onRefused: () => {
      const { email, comments } = form.values;
      if (!email.trim() || !comments.trim())
        toast({ variant: 'destructive', title: t('missing'), description: t('missingWhy') });
    },
    error: send.error,
  });
  return (
    <FormDialog
      form={form}
      title={t('title')}
      action={t('send')}
      acting={t('sending')}
      pending={send.isPending}
      keep={null}
      onClose={onClose}
    >
      <TextField {...form.bind('email')} label={t('email')} type="email" autoComplete="email" inputMode="email" />
      <TextField {...form.bind('phone')} label={t('phone')} type="tel" autoComplete="tel" inputMode="tel" optional />
      <TextField {...form.bind('comments')} label={t('comments')} as={Textarea} rows={5} />
    </FormDialog>
  );
}
