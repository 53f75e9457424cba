import {
  brandOf,
  cvcFault,
  digitsOf,
  expiryFault,
  formatExpiry,
  formatNumber,
  numberFault,
  type FieldFault,
} from './card-format.ts';
import { freshId, make } from './dom.ts';

export type FieldName = 'number' | 'expiry' | 'cvc';

interface FieldLook {
  label: string;
  placeholder: string;
  autocomplete: string;
  longest: number;
  format: (text: string, deleting: boolean) => string;
}

/** A labeled input with its message, which is associated with the input and announced when it changes. */
export function textField(
  name: string,
  { label, placeholder, autocomplete, longest, format }: FieldLook,
  numeric = true,
) {
  const id = freshId(name);
  const input = make('input', {
    ...{ id, class: 'sbx-input', type: 'text', placeholder, autocomplete, maxlength: String(longest) },
    ...{
      autocorrect: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      'aria-describedby': `${id}-error`,
      'data-sbx': name,
    },
    ...(numeric ? { inputmode: 'numeric' } : {}),
  });
  const message = make('p', { id: `${id}-error`, class: 'sbx-error', 'aria-live': 'polite' });
  const shell = make('div', { class: 'sbx-control' }, input);
  const root = make(
    'div',
    { class: `sbx-field sbx-${name}` },
    make('label', { for: id, class: 'sbx-label' }, label),
    shell,
    message,
  );

  input.addEventListener('input', (event) => {
    const deleting = ((event as InputEvent).inputType ?? '').startsWith('delete');
    const caret = input.selectionStart ?? input.value.length;
    const before = digitsOf(input.value.slice(0, caret)).length;
    const atEnd = caret === input.value.length;
    const text = format(input.value, deleting);
    if (text === input.value) return;
    input.value = text;
    // Keeps the caret after the same digit, even if formatting inserted a space.
    let place = 0;
    for (let digits = 0; place < text.length && digits < before; place += 1)
      if (/\d/.test(text[place] ?? '')) digits += 1;
    const end = atEnd ? text.length : place;
    input.setSelectionRange(end, end);
  });

  return {
    root,
    input,
    shell,
    show(fault: { message: string } | null): void {
      message.textContent = fault?.message ?? '';
      root.classList.toggle('sbx-invalid', fault !== null);
      if (fault) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    },
  };
}

/**
 * Number, date and code, validated like Stripe's fields: on blur, or immediately if further typing cannot correct the
 * fault.
 */
export function cardFields(onChange: () => void) {
  const number = textField('number', {
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    autocomplete: 'cc-number',
    longest: 23,
    format: formatNumber,
  });
  const expiry = textField('expiry', {
    label: 'Expiration date',
    placeholder: 'MM / YY',
    autocomplete: 'cc-exp',
    longest: 9,
    format: formatExpiry,
  });
  const cvc = textField('cvc', {
    ...{ label: 'Security code', placeholder: 'CVC', autocomplete: 'cc-csc', longest: 4 },
    format: (text) => digitsOf(text).slice(0, brandOf(number.input.value).cvc),
  });
  const fields = { number, expiry, cvc };
  const order: FieldName[] = ['number', 'expiry', 'cvc'];
  const brand = make('span', { class: 'sbx-brand', 'aria-live': 'polite' });
  number.shell.append(brand);

  const faultOf = (name: FieldName): FieldFault | null => {
    if (name === 'number') return numberFault(number.input.value);
    return name === 'expiry' ? expiryFault(expiry.input.value) : cvcFault(cvc.input.value, number.input.value);
  };

  for (const [index, name] of order.entries()) {
    const { input, show } = fields[name];
    input.addEventListener('input', (event) => {
      const fault = faultOf(name);
      show(fault?.wrong ? fault : null);
      if (name === 'number') brand.textContent = brandOf(input.value).label;
      onChange();
      const next = order[index + 1];
      const typed = (event as InputEvent).inputType === 'insertText' && input.selectionStart === input.value.length;
      if (next && typed && fault === null && fields[next].input.value === '') fields[next].input.focus();
    });
    input.addEventListener('blur', () => input.value !== '' && show(faultOf(name)));
  }

  return {
    fields,
    faults: () => order.flatMap((name) => [faultOf(name)].flatMap((fault) => (fault ? [{ name, ...fault }] : []))),
    empty: () => order.every((name) => fields[name].input.value === ''),
    /** The `card` object for the API. */
    data() {
      const [month = '', year = ''] = expiry.input.value.split(' / ');
      return {
        number: digitsOf(number.input.value),
        exp_month: Number(month),
        exp_year: 2000 + Number(year),
        cvc: cvc.input.value,
      };
    },
    clear(): void {
      for (const name of order) {
        fields[name].input.value = '';
        fields[name].show(null);
      }
      brand.textContent = '';
    },
  };
}
