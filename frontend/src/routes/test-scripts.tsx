import type { Event } from '@beltway/contracts/catalog';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { EventCard } from '../features/events/event-card.tsx';
import { SAMPLES, type Sample } from '../features/scripts/samples.ts';
import { eventsQuery } from '../lib/event-queries.ts';
import { EventTile } from '../lib/event-tile.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import { configQuery } from '../lib/public-config.ts';
import { Button } from '../ui/button.tsx';
import { Input, TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { QuantityStepper } from '../ui/quantity-stepper.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Component as NotFound } from './not-found.tsx';

/** Cards and controls in Amharic and Arabic; with `?dir=rtl` the whole page runs from right to left. For who works on Beltway: nowhere but in embedded mode. */
export function Component() {
  const { data } = useQuery(configQuery());
  return data?.mode === 'embedded' ? <Scripts /> : data && <NotFound />;
}

function Scripts() {
  usePageTitle('Scripts');
  const { data: events } = useQuery(eventsQuery());
  const [params] = useSearchParams();
  const dir = params.get('dir') === 'rtl' ? 'rtl' : 'ltr';
  useEffect(() => {
    document.documentElement.dir = dir;
    return () => document.documentElement.removeAttribute('dir');
  }, [dir]);
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-12 py-8">
      {SAMPLES.map((sample) => (
        <Shown key={sample.lang} {...sample} real={events?.[0]} />
      ))}
    </div>
  );
}

function Shown({
  lang,
  dir,
  title,
  text,
  place,
  tags,
  name,
  hint,
  error,
  yes,
  no,
  real,
}: Sample & { real: Event | undefined }) {
  const [quantity, setQuantity] = useState(2);
  const [typed, setTyped] = useState('');
  const event = real && { ...real, title, description: text, location: place, tags };
  return (
    <section lang={lang} dir={dir} aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h1 className="text-display">{title}</h1>
      <p className="max-w-prose text-title">{text}</p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 md:grid-cols-2">
        {event && <EventCard event={event} />}
        <div className="grid content-start gap-4">
          {event && <EventTile event={event} />}
          <TextField
            as={Input}
            name={`name-${lang}`}
            label={name}
            hint={hint}
            error={error}
            value={typed}
            onChange={setTyped}
            optional
          />
          <TextField as={PasswordInput} name={`password-${lang}`} label={name} value={typed} onChange={setTyped} />
          <div className="flex flex-wrap gap-3">
            <Button>{yes}</Button>
            <Button variant="secondary">{no}</Button>
            <QuantityStepper label={name} value={quantity} max={10} onChange={setQuantity} />
          </div>
          <Notice>{error}</Notice>
        </div>
      </div>
      <EmptyState title={title} action={<Button variant="secondary">{no}</Button>}>
        {text}
      </EmptyState>
    </section>
  );
}
