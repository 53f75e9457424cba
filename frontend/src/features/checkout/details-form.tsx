import { MAX_TICKETS_PER_ORDER } from '@beltway/contracts/ticketing';
import { useState, type ReactNode } from 'react';
import { formatCents } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { QuantityStepper } from '../../ui/quantity-stepper.tsx';
import type { Details } from './api.ts';

interface DetailsFormProps {
  value: Details;
  /** Tickets this buyer can have: what is left, their own hold included. */
  available: number;
  priceCents: number;
  pending: boolean;
  refusal: ReactNode;
  onChange: (details: Details) => void;
  onContinue: () => void;
}

const looksLikeEmail = (text: string) => /^\S+@\S+\.\S+$/.test(text.trim());

/** Who and how many. The payment form comes only when all three are there. */
export function DetailsForm({
  value,
  available,
  priceCents,
  pending,
  refusal,
  onChange,
  onContinue,
}: DetailsFormProps) {
  const [checked, setChecked] = useState(false);
  const most = Math.min(MAX_TICKETS_PER_ORDER, available);
  const errors = {
    name: value.name.trim() ? null : 'Tell us whose tickets these are.',
    email: looksLikeEmail(value.email) ? null : 'We send the tickets by email: please check the address.',
  };
  return (
    <form
      noValidate
      className="grid gap-6"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        setChecked(true);
        const wrong = errors.name ? 'holder-name' : errors.email ? 'holder-email' : null;
        if (wrong) submitted.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
        else onContinue();
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-4 rounded-md bg-sunken p-4">
        <div>
          <p className="font-strong">How many tickets?</p>
          <p className="text-note text-ink-soft">
            {most < MAX_TICKETS_PER_ORDER
              ? `${most} can be had right now`
              : `Up to ${MAX_TICKETS_PER_ORDER} per purchase`}
          </p>
        </div>
        <QuantityStepper
          label="Number of tickets"
          value={value.quantity}
          max={Math.max(1, most)}
          onChange={(quantity) => onChange({ ...value, quantity })}
        />
      </div>
      {refusal}
      <Field label="Name on the tickets" error={checked ? errors.name : null}>
        <Input
          name="holder-name"
          autoComplete="name"
          maxLength={100}
          value={value.name}
          onChange={(typed) => onChange({ ...value, name: typed.target.value })}
        />
      </Field>
      <Field label="Email" hint="Your tickets with their QR codes go here." error={checked ? errors.email : null}>
        <Input
          name="holder-email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          value={value.email}
          onChange={(typed) => onChange({ ...value, email: typed.target.value })}
        />
      </Field>
      <Button type="submit" pending={pending} className="w-full sm:w-auto sm:justify-self-start">
        {pending ? 'Holding your tickets…' : `Continue to payment · ${formatCents(priceCents * value.quantity)}`}
      </Button>
    </form>
  );
}
