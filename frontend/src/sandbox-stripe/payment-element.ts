import type { StripeError } from '@stripe/stripe-js';
import { cardFields, textField, type FieldName } from './card-fields.ts';
import { make } from './dom.ts';
import { Emitter } from './emitter.ts';
import type { Nested } from './api.ts';

export interface ElementOptions {
  /** Ignored: the sandbox has cards only. */
  paymentMethodOrder?: string[];
  fields?: { billingDetails?: 'auto' | 'never' | { address?: unknown } };
  defaultValues?: { billingDetails?: { address?: { country?: string; postal_code?: string } } };
  readOnly?: boolean;
  disabled?: boolean;
}

const COUNTRIES =
  'US CA MX GB IE FR DE ES IT NL BE AT CH PT DK SE NO FI PL AU NZ JP KR SG BR IN NG GH ET SV GT HN'.split(' ');
const nameOf = (code: string): string => new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;

/** The field that an API error code belongs to. */
const placeOf: Record<string, FieldName> = {
  ...{ incorrect_number: 'number', invalid_number: 'number', expired_card: 'expiry', invalid_expiry_month: 'expiry' },
  ...{ invalid_expiry_year: 'expiry', incorrect_cvc: 'cvc', invalid_cvc: 'cvc' },
};

/** The card form, with the interface of Stripe's PaymentElement. Card numbers stay in the inputs and are not stored. */
export class SandboxElement extends Emitter {
  readonly type: 'payment' | 'card';
  readonly #root: HTMLElement;
  readonly #card: ReturnType<typeof cardFields>;
  readonly #postal: ReturnType<typeof textField>;
  readonly #country: HTMLSelectElement;
  #destroyed = false;
  #complete: boolean | undefined;
  #wasEmpty: boolean | undefined;
  readonly #onDestroy: () => void;

  constructor(type: 'payment' | 'card', options: ElementOptions, onDestroy: () => void) {
    super();
    this.type = type;
    this.#onDestroy = onDestroy;
    this.#card = cardFields(() => this.#changed());
    const { number, expiry, cvc } = this.#card.fields;
    const address = options.defaultValues?.billingDetails?.address;
    this.#postal = textField(
      'postal',
      { label: 'ZIP', placeholder: '20001', autocomplete: 'postal-code', longest: 12, format: (text) => text },
      false,
    );
    this.#country = make('select', {
      class: 'sbx-input',
      id: `${this.#postal.input.id}-country`,
      autocomplete: 'country',
      'data-sbx': 'country',
    });
    for (const code of COUNTRIES) this.#country.append(make('option', { value: code }, nameOf(code)));
    this.#country.value = COUNTRIES.includes(address?.country ?? '') ? (address?.country ?? 'US') : 'US';
    this.#postal.input.value = address?.postal_code ?? '';
    this.#country.addEventListener('change', () => this.#namePostal());
    this.#root = make(
      'div',
      { class: 'sbx-form', role: 'group', 'aria-label': 'Card' },
      number.root,
      make('div', { class: 'sbx-pair' }, expiry.root, cvc.root),
    );
    if (type === 'payment' && this.#asksAddress(options))
      this.#root.append(make('div', { class: 'sbx-pair' }, this.#countryField(), this.#postal.root));
    this.#root.addEventListener('focusin', () => this.emit('focus', { elementType: type }));
    this.#root.addEventListener('focusout', () => this.emit('blur', { elementType: type }));
    this.#root.addEventListener(
      'keydown',
      (event) => event.key === 'Escape' && this.emit('escape', { elementType: type }),
    );
    this.#namePostal();
    this.update(options);
  }

  #asksAddress({ fields }: ElementOptions): boolean {
    const billing = fields?.billingDetails;
    return billing !== 'never' && !(typeof billing === 'object' && billing.address === 'never');
  }

  #countryField(): HTMLElement {
    return make(
      'div',
      { class: 'sbx-field sbx-country' },
      make('label', { for: this.#country.id, class: 'sbx-label' }, 'Country'),
      make('div', { class: 'sbx-control' }, this.#country),
    );
  }

  #namePostal(): void {
    const us = this.#country.value === 'US';
    const label = this.#postal.root.querySelector('label');
    label?.replaceChildren(us ? 'ZIP' : 'Postal code', make('span', { class: 'sbx-optional' }, 'Optional'));
    this.#postal.input.placeholder = us ? '20001' : '';
  }

  #changed(): void {
    const complete = this.#card.faults().length === 0;
    const empty = this.#card.empty();
    if (complete === this.#complete && empty === this.#wasEmpty) return;
    this.#complete = complete;
    this.#wasEmpty = empty;
    this.emit('change', {
      elementType: this.type,
      empty,
      complete,
      collapsed: false,
      value: { type: 'card' },
      error: undefined,
    });
  }

  mount(place: string | HTMLElement): void {
    const node = typeof place === 'string' ? document.querySelector(place) : place;
    if (this.#destroyed) throw new Error('This Element has already been destroyed. Please create a new one.');
    if (!node)
      throw new Error(
        `The selector you specified (${String(place)}) applies to no DOM elements that are currently on the page.`,
      );
    node.replaceChildren(this.#root);
    // Emits later, like Stripe, because listeners are attached after mount.
    setTimeout(() => {
      if (this.#destroyed) return;
      this.emit('loaderstart', { elementType: this.type });
      this.emit('ready', { elementType: this.type });
    });
  }

  unmount(): void {
    this.#root.remove();
  }

  destroy(): void {
    this.#destroyed = true;
    this.clear();
    this.#root.remove();
    this.#onDestroy();
  }

  update(options: ElementOptions): this {
    if (options.readOnly !== undefined || options.disabled !== undefined)
      this.lock(Boolean(options.readOnly ?? options.disabled));
    return this;
  }

  /** Makes the form read-only during a payment. */
  lock(locked: boolean): void {
    for (const input of this.#root.querySelectorAll('input')) input.readOnly = locked;
    this.#country.disabled = locked;
    this.#root.classList.toggle('sbx-locked', locked);
  }

  focus(): void {
    this.#card.fields.number.input.focus();
  }

  blur(): void {
    if (this.#root.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
  }

  clear(): void {
    this.#card.clear();
    this.#changed();
  }

  collapse(): this {
    return this;
  }

  /**
   * Shows all faults and focuses the first faulty field. Returns Stripe's validation error, or undefined if all fields
   * are valid.
   */
  validate(): StripeError | undefined {
    const faults = this.#card.faults();
    for (const { name, message } of faults) this.#card.fields[name].show({ message });
    const first = faults[0];
    if (!first) return undefined;
    this.#card.fields[first.name].input.focus();
    return { type: 'validation_error', code: first.code, message: first.message };
  }

  /** Shows an API error at the field that it concerns. */
  complain({ code, message = '' }: StripeError): void {
    const place = placeOf[code ?? ''];
    if (place) this.#card.fields[place].show({ message });
  }

  /** The `payment_method_data` object for the API. */
  data(): Nested {
    const address = this.#country.isConnected
      ? { country: this.#country.value, postal_code: this.#postal.input.value.trim() || undefined }
      : {};
    return { type: 'card', card: this.#card.data(), billing_details: { address } };
  }
}
