import { Check } from 'lucide-react';

/** What a package gives. */
export const Benefits = ({ of: benefits }: { of: readonly string[] }) => (
  <ul aria-label="Benefits" className="grid content-start gap-1.5 text-note">
    {benefits.map((benefit) => (
      <li key={benefit} className="flex items-start gap-2">
        <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
        {benefit}
      </li>
    ))}
  </ul>
);
