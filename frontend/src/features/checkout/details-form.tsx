import { MAX_TICKETS_PER_ORDER } from '@beltway/contracts/ticketing';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { useFields } from '../../lib/form.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QuantityStepper } from '../../ui/quantity-stepper.tsx';
import type { Details } from './api.ts';
import { errorsOfBuyer, isRefusal, refusalText } from './refusals.ts';

interface DetailsFormProps {
  value: Details;
  /** Tickets this buyer can have: what is left plus their own hold. */
  available: number;
  /** All tickets that are left are held by other buyers, and this one has none. */
  allHeld: boolean;
  pending: boolean;
  /** Why the last try did not lead to the payment. */
  error: unknown;
  onChange: (details: Details) => void;
  onContinue: () => void;
  /** Requests the hold again; given while there is none and none is being requested. */
  onRetry: (() => void) | null;
  /** Wraps the button in the action bar of this screen size. */
  bar: (button: ReactNode) => ReactNode;
  total: string;
}

const Buyer = z.object({
  name: z.string().trim().min(1, 'Tell us whose tickets these are.'),
  email: z
    .string()
    .trim()
    .regex(/^\S+@\S+\.\S+$/, 'We send the tickets by email: please check the address.'),
});

/** Quantity, name and email; the payment form comes when all three are valid. */
export function DetailsForm(props: DetailsFormProps) {
  const { value, available, allHeld, pending, error, onChange, onContinue, onRetry, bar, total } = props;
  const form = useFields({
    schema: Buyer,
    initial: { name: value.name, email: value.email },
    onSubmit: onContinue,
    onChange: (buyer) => onChange({ ...value, ...buyer }),
    error,
    errorsOf: errorsOfBuyer,
  });
  const refused = isRefusal(error);
  return (
    <form {...form.props} className="grid grid-cols-1 gap-6">
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-4 rounded-md bg-sunken p-4">
          <div>
            <p className="font-strong">How many tickets?</p>
            <p aria-live="polite" className="text-note text-ink-soft">
              {allHeld
                ? 'All in other baskets right now'
                : available >= MAX_TICKETS_PER_ORDER
                  ? `Up to ${MAX_TICKETS_PER_ORDER} per purchase`
                  : available > 0
                    ? `${available} can be had right now`
                    : 'All in other baskets right now'}
            </p>
          </div>
          <QuantityStepper
            label="Number of tickets"
            value={value.quantity}
            max={Math.max(1, Math.min(MAX_TICKETS_PER_ORDER, available))}
            disabled={allHeld}
            onChange={(quantity) => onChange({ ...value, quantity })}
          />
        </div>
        {refused && <Notice>{refusalText(error)}</Notice>}
        {(refused || allHeld) && onRetry && (
          <Button variant="secondary" className="justify-self-start" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
      <TextField {...form.bind('name')} label="Name on the tickets" autoComplete="name" required maxLength={100} />
      <TextField
        {...form.bind('email')}
        label="Email"
        hint="Your tickets with their QR codes go here."
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
          {pending ? 'Holding your tickets…' : allHeld ? 'All in other baskets' : `Continue to payment · ${total}`}
        </Button>,
      )}
    </form>
  );
}
