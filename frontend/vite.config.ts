import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const gateway = process.env['BELTWAY_GATEWAY'] ?? 'http://localhost:3000';

/** The two faces of the first screen are asked for at once, not when the style sheet has been read. */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => /(bricolage-grotesque|instrument-sans)-latin-wght-normal.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
  },
};

/** Compressed copies of text files, which the gateway sends to browsers that read them. Below a packet's size they are not worth it. */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    for (const name of await readdir(dir, { recursive: true })) {
      const file = join(dir, name);
      if (!/\.(js|css|svg|json|webmanifest|txt)$/.test(name) || (await stat(file)).size < 1_400) continue;
      const text = await readFile(file);
      await writeFile(`${file}.br`, await promisify(brotliCompress)(text));
      await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
    }
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFonts, compressedCopies],
  build: {
    target: 'es2022',
    // Nothing inline: the page's content security policy has no room for data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What changes with each release apart from what stays: a returning visitor loads only our own part again.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom)\// },
            { name: 'data', test: /node_modules\/(@tanstack|zod)\// },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/media', '/sandbox', '/dev', '/socket.io'].map((path) => [
        path,
        { target: gateway, changeOrigin: true, ws: path === '/socket.io' },
      ]),
    ),
  },
});
