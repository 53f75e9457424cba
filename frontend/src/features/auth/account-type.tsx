import Compass from 'lucide-react/icons/compass';
import Store from 'lucide-react/icons/store';
import { useId, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/catalog.ts';
import { Meta } from '../../ui/meta.tsx';
import { texts } from './texts.en.ts';

type Role = 'user' | 'business';

/** The choice between the two account types. Users cannot choose admin (services/identity/PRODUCT.md#roles). */
export function AccountType({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const t = useTexts(texts);
  const option = (role: Role, label: string, description: string, icon: ReactNode) => (
    <Option role={role} label={label} description={description} icon={icon} value={value} onChange={onChange} />
  );
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-note font-strong">{t('accountType')}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {option('user', t('explorer'), t('explorerWhy'), <Compass aria-hidden />)}
        {option('business', t('owner'), t('ownerWhy'), <Store aria-hidden />)}
      </div>
    </fieldset>
  );
}

interface OptionProps {
  role: Role;
  label: string;
  description: string;
  icon: ReactNode;
  value: Role;
  onChange: (role: Role) => void;
}

function Option({ role, label, description, icon, value, onChange }: OptionProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex cursor-pointer gap-3 rounded-md border border-edge bg-surface p-3.5 transition-colors duration-(--duration-fast) hover:border-ink has-checked:border-accent-ink has-checked:bg-accent-soft has-checked:ring-1 has-checked:ring-accent-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0"
    >
      <input
        id={id}
        type="radio"
        name="role"
        value={role}
        checked={value === role}
        onChange={() => onChange(role)}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        className="sr-only"
      />
      {icon}
      <span>
        <span id={`${id}-label`} className="block font-strong">
          {label}
        </span>
        <Meta as="span" id={`${id}-about`} className="block">
          {description}
        </Meta>
      </span>
    </label>
  );
}
