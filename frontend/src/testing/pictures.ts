import { kindOf } from '@beltway/contracts/media/picture-kinds';
import { vi } from 'vitest';

const HEADS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff, 0xe0],
  heic: [...'\0\0\0\x18ftypheic\0\0\0\0mif1heic'].map((letter) => letter.charCodeAt(0)),
};

/** A file with the signature of its format. */
export function pictureFile(kind: keyof typeof HEADS, { size = 64, name = `photo.${kind}` } = {}): File {
  const bytes = new Uint8Array(size);
  bytes.set(HEADS[kind]);
  return new File([bytes], name, { type: `image/${kind}` });
}

interface Drawing {
  width?: number;
  height?: number;
  /** Also decodes formats that the media service cannot read, like HEIC in Safari. */
  isAnyKind?: boolean;
  /** Size of a canvas's output, in bytes. */
  writes?: number;
}

/** Fakes the browser's decoding of pictures by their signature. Returns the sizes of the written canvases. */
export function fakeDrawing({ width = 800, height = 600, isAnyKind = false, writes = 1_000 }: Drawing = {}) {
  const drawn: string[] = [];
  vi.stubGlobal('createImageBitmap', async (file: Blob) => {
    if (!isAnyKind && !kindOf(new Uint8Array(await file.slice(0, 128).arrayBuffer())))
      throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
    return { width, height, close: () => undefined };
  });
  const context = { drawImage: () => undefined, fillRect: () => undefined };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function write(
    this: HTMLCanvasElement,
    done: BlobCallback,
    type = 'image/png',
  ) {
    drawn.push(`${this.width}×${this.height} ${type}`);
    done(new Blob([new Uint8Array(writes)], { type }));
  });
  return drawn;
}
