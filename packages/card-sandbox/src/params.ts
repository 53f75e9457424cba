import { invalid } from './errors.ts';
import type { Form, FormValue } from './form.ts';

/** Reads one call's parameters and throws Stripe's errors. An empty string unsets a parameter. */
export class Params {
  readonly form: Form;
  readonly #at: string;

  constructor(form: Form, at = '') {
    this.form = form;
    this.#at = at;
  }

  #name(name: string): string {
    return this.#at ? `${this.#at}[${name}]` : name;
  }

  has(name: string): boolean {
    return this.form[name] !== undefined;
  }

  /** Throws 400 `parameter_unknown` for any other name, as Stripe does, so that a typo is not ignored. */
  only(...names: string[]): this {
    const unknown = Object.keys(this.form).filter(
      (name) => !names.includes(name) && name !== 'expand' && name !== 'key',
    );
    if (unknown.length === 0) return this;
    const message = `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.map((name) => this.#name(name)).join(', ')}`;
    throw invalid(message, { code: 'parameter_unknown', param: this.#name(unknown[0] as string) });
  }

  text(name: string, max = 5000): string | undefined {
    const value = this.form[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string')
      throw invalid('Invalid string: a hash or a list was given.', { param: this.#name(name) });
    if (value.length > max)
      throw invalid(`Invalid string: must be at most ${max} characters`, { param: this.#name(name) });
    return value;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined)
      throw invalid(`Missing required param: ${this.#name(name)}.`, {
        code: 'parameter_missing',
        param: this.#name(name),
      });
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d{1,12}$/.test(value))
      throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: this.#name(name) });
    return Number(value);
  }

  positive(name: string): number | undefined {
    const value = this.integer(name);
    if (value !== undefined && value < 1)
      throw invalid('Invalid positive integer', { code: 'parameter_invalid_integer', param: this.#name(name) });
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value !== undefined && value !== 'true' && value !== 'false')
      throw invalid(`Invalid boolean: ${value}`, { param: this.#name(name) });
    return value === undefined ? undefined : value === 'true';
  }

  oneOf<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!choices.includes(value as Choice))
      throw invalid(`Invalid ${this.#name(name)}: must be one of ${choices.join(', ')}`, { param: this.#name(name) });
    return value as Choice;
  }

  hash(name: string): Params | undefined {
    const value: FormValue | undefined = this.form[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string' || Array.isArray(value)) throw invalid('Invalid hash', { param: this.#name(name) });
    return new Params(value, this.#name(name));
  }

  list(name: string): string[] {
    const value = this.form[name];
    if (value === undefined || value === '') return [];
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
      throw invalid('Invalid array', { param: this.#name(name) });
    return value as string[];
  }

  /**
   * Merges the given metadata into the existing metadata; an empty value removes its key. At most 50 keys of up to 40
   * characters, with values of up to 500 characters.
   */
  metadata(before: Record<string, string> = {}): Record<string, string> {
    const given = this.form['metadata'];
    if (given === undefined) return before;
    if (given === '') return {};
    const merged = { ...before };
    for (const [key, value] of Object.entries(this.hash('metadata')?.form ?? {})) {
      if (typeof value !== 'string')
        throw invalid(`Metadata values must be strings: ${key}`, { param: `metadata[${key}]` });
      if (key.length > 40 || value.length > 500)
        throw invalid('Metadata keys have at most 40 characters, values at most 500.', { param: `metadata[${key}]` });
      if (value === '') delete merged[key];
      else merged[key] = value;
    }
    if (Object.keys(merged).length > 50) throw invalid('Metadata has at most 50 keys.', { param: 'metadata' });
    return merged;
  }
}
