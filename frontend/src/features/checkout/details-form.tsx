import { MAX_TICKETS_PER_ORDER } from '@beltway/contracts/ticketing/tickets';
import { useState, type FormEvent, type ReactNode } from 'react';
import { z } from 'zod';
import { useTexts, type TextsOf } from '../../lib/i18n/catalog.ts';
import { useFields } from '../../lib/forms/form.ts';
import { Button } from '../../ui/button.tsx';
import { focusFirstError, TextField } from '../../ui/field.tsx';
import { Meta } from '../../ui/meta.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QuantityStepper } from '../../ui/quantity-stepper.tsx';
import type { Details } from './api.ts';
import { errorsOfBuyer, isRefusal, refusalText } from './refusals.ts';
import { texts } from './texts.en.ts';

interface DetailsFormProps {
  value: Details;
  /** Tickets available to this buyer: the tickets left plus the tickets that this buyer holds. */
  available: number;
  /** True if other buyers hold all remaining tickets and this buyer holds none. */
  allHeld: boolean;
  pending: boolean;
  /** The error of the last attempt to continue to the payment. */
  error: unknown;
  onChange: (details: Details) => void;
  onContinue: () => void;
  /** Requests the hold again; null while there is a hold or a request is in progress. */
  onRetry: (() => void) | null;
  /** Wraps the button in the action bar for this screen size. */
  bar: (button: ReactNode) => ReactNode;
  total: string;
}

const buyer = (t: TextsOf<typeof texts>) =>
  z.object({
    name: z.string().trim().min(1, t('tellWhose')),
    email: z
      .string()
      .trim()
      .regex(/^\S+@\S+\.\S+$/, t('checkAddress')),
  });

/** Quantity, name and email; the payment form follows once all three are valid. */
export function DetailsForm(props: DetailsFormProps) {
  const { value, available, allHeld, pending, error, onChange, onContinue, onRetry, bar, total } = props;
  const t = useTexts(texts);
  const [schema] = useState(() => buyer(t));
  const form = useFields({
    schema,
    initial: { name: value.name, email: value.email },
    onSubmit: onContinue,
    onChange: (typed) => onChange({ ...value, ...typed }),
    error,
    errorsOf: errorsOfBuyer,
  });
  const refused = isRefusal(error);
  const [isQuantityWrong, setQuantityWrong] = useState(false);
  const submit = (submitted: FormEvent<HTMLFormElement>) => {
    if (!isQuantityWrong) return form.props.onSubmit(submitted);
    submitted.preventDefault();
    focusFirstError(submitted.currentTarget);
  };
  return (
    <form {...form.props} onSubmit={submit} className="grid grid-cols-1 gap-6">
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-4 rounded-md bg-sunken p-4">
          <div>
            <p className="font-strong">{t('howMany')}</p>
            <Meta aria-live="polite">
              {allHeld
                ? t('allInBaskets')
                : available >= MAX_TICKETS_PER_ORDER
                  ? t('upToPer', { max: String(MAX_TICKETS_PER_ORDER) })
                  : available > 0
                    ? t('canBeHad', { count: String(available) })
                    : t('allInBaskets')}
            </Meta>
          </div>
          <QuantityStepper
            label={t('numberOf')}
            value={value.quantity}
            max={Math.max(1, Math.min(MAX_TICKETS_PER_ORDER, available))}
            disabled={allHeld}
            onChange={(quantity) => onChange({ ...value, quantity })}
            onWrong={setQuantityWrong}
          />
        </div>
        {refused && <Notice>{refusalText(error)}</Notice>}
        {(refused || allHeld) && onRetry && (
          <Button variant="secondary" className="justify-self-start" onClick={onRetry}>
            {t('tryAgain')}
          </Button>
        )}
      </div>
      <TextField {...form.bind('name')} label={t('nameOn')} autoComplete="name" required maxLength={100} />
      <TextField
        {...form.bind('email')}
        label={t('email')}
        hint={t('emailHint')}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        required
        maxLength={254}
      />
      {Boolean(form.failure) && !refused && <Notice>{refusalText(error)}</Notice>}
      {bar(
        <Button type="submit" pending={pending} disabled={allHeld} className="max-lg:w-full">
          {pending ? t('holdingYours') : allHeld ? t('allInBasketsShort') : t('continue', { total })}
        </Button>,
      )}
    </form>
  );
}
