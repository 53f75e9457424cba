import type { ManagedOrder } from '@beltway/contracts/orders';
import type { ReactNode } from 'react';
import { formatMoment } from '../format.ts';

/** A part of what is known of an order, under its name. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="font-text text-body font-strong">{title}</h3>
    <ul className="mt-1 grid gap-1 tabular [overflow-wrap:anywhere]">{children}</ul>
  </section>
);

/** What became of an order, by its events. */
export const History = ({ of: history }: { of: ManagedOrder['history'] }) => (
  <Part title="History">
    {history.map(({ at, text }, index) => (
      <li key={index}>
        {formatMoment(at)}: {text}
      </li>
    ))}
  </Part>
);
