import { useId, type ReactNode } from 'react';

/** A part of the studio with its heading. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 rounded-lg border border-line bg-surface p-5 shadow-card"
    >
      <h2 id={id} className="text-title">
        {title}
      </h2>
      {children}
    </section>
  );
}
