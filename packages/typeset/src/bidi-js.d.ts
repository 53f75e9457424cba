/** The little of bidi-js that we use; it brings no types of its own. */
declare module 'bidi-js' {
  export interface Bidi {
    getEmbeddingLevels(
      text: string,
      base?: 'ltr' | 'rtl' | 'auto',
    ): { levels: Uint8Array; paragraphs: Array<{ start: number; end: number; level: number }> };
    /** Null when it has none. */
    getMirroredCharacter(char: string): string | null;
  }
  export default function bidiFactory(): Bidi;
}
