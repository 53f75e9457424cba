import type { StripeError } from '@stripe/stripe-js';
import { Emitter } from './emitter.ts';
import { SandboxElement, type ElementOptions } from './payment-element.ts';

export interface GroupOptions {
  clientSecret?: string;
}

/** The result of `stripe.elements()`, which contains the page's only card form. */
export class SandboxElements extends Emitter {
  #options: GroupOptions;
  #element: SandboxElement | null = null;

  constructor(options: GroupOptions = {}) {
    super();
    this.#options = options;
  }

  get clientSecret(): string | undefined {
    return this.#options.clientSecret;
  }

  create(type: string, options: ElementOptions = {}): SandboxElement {
    if (type !== 'payment' && type !== 'card')
      throw new Error(
        `A valid Element name must be provided. The sandbox has payment and card; you specified: ${type}.`,
      );
    if (this.#element) throw new Error(`Can only create one Element of type ${type} in the sandbox.`);
    const element = new SandboxElement(type, options, () => {
      if (this.#element === element) this.#element = null;
    });
    this.#element = element;
    return element;
  }

  getElement(kind: unknown): SandboxElement | null {
    const type = typeof kind === 'function' ? (kind as { __elementType?: string }).__elementType : kind;
    return this.#element?.type === type ? this.#element : null;
  }

  /** The current form, of any type. */
  current(): SandboxElement | null {
    return this.#element;
  }

  async update(options: GroupOptions): Promise<void> {
    this.#options = { ...this.#options, ...options };
    this.emit('update-end', undefined);
  }

  async fetchUpdates(): Promise<Record<string, never>> {
    return {};
  }

  async submit(): Promise<{ error: StripeError } | { selectedPaymentMethod: string }> {
    const error = this.#element?.validate();
    return error ? { error } : { selectedPaymentMethod: 'card' };
  }
}
