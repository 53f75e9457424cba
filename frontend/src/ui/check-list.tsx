import Check from 'lucide-react/icons/check';

/** A list of benefits with check marks. */
export const CheckList = ({ label, items }: { label: string; items: readonly string[] }) => (
  <ul aria-label={label} className="grid content-start gap-1.5 text-note">
    {items.map((item) => (
      <li key={item} className="flex items-start gap-2">
        <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
        {item}
      </li>
    ))}
  </ul>
);
