import { useId, type ReactNode } from 'react';
import { Card } from '../../../ui/card.tsx';

/** A section of the studio with its heading. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="content-start gap-4 shadow-card">
      <h2 id={id} className="text-title">
        {title}
      </h2>
      {children}
    </Card>
  );
}
