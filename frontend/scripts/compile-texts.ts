import compile from 'icu-minify/compile';
import MagicString from 'magic-string';
import type { Plugin } from 'vite';

/**
 * Compiles texts in ICU syntax, "{count, plural, one {# ticket} other {# tickets}}", at build time, because the parser
 * is ten times the size of the page's formatter. Each file `…texts.en.ts` and `…texts.es.ts` contains one object with
 * plain strings.
 */
export const compiledTexts: Plugin = {
  name: 'compiled-texts',
  transform: {
    filter: { id: /texts\.[a-z]{2}\.ts$/ },
    order: 'post',
    handler(code, id) {
      const text = new MagicString(code);
      let found = 0;
      for (const node of this.parse(code).body) {
        const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
        if (declaration?.type !== 'VariableDeclaration') continue;
        for (const { init } of declaration.declarations) {
          if (init?.type !== 'ObjectExpression') continue;
          for (const property of init.properties) {
            const value = property.type === 'Property' ? property.value : undefined;
            if (value?.type !== 'Literal' || typeof value.value !== 'string')
              throw new Error(`${id} has something else than plain strings`);
            found += 1;
            const compiled = compile(value.value);
            if (compiled !== value.value) text.overwrite(value.start, value.end, JSON.stringify(compiled));
          }
        }
      }
      if (found === 0) throw new Error(`${id} has no texts`);
      return { code: text.toString(), map: text.generateMap({ hires: true }) };
    },
  },
};
