/** The part of bidi-js that this package uses. bidi-js has no types of its own. */
declare module 'bidi-js' {
  export interface Bidi {
    getEmbeddingLevels(
      text: string,
      base?: 'ltr' | 'rtl' | 'auto',
    ): { levels: Uint8Array; paragraphs: Array<{ start: number; end: number; level: number }> };
    /** Returns null if the character has no mirrored form. */
    getMirroredCharacter(char: string): string | null;
  }
  export default function bidiFactory(): Bidi;
}
