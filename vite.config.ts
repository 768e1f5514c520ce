import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { formLabels } from './scripts/form-labels.ts'
import { pageFiles } from './scripts/page-files.ts'
import { publicTexts } from './scripts/public-texts.ts'

const path = (relative: string) => join(import.meta.dirname, relative)

export default defineConfig({
  root: path('web'),
  publicDir: path('web/public'),
  plugins: [react(), formLabels(), publicTexts(), paintFirst()],
  // The server puts every HTML page together itself, so an unknown path must not fall back to one of them here.
  appType: 'mpa',
  build: {
    outDir: path('dist/web'),
    emptyOutDir: true,
    manifest: true,
    // light-dark() and oklch stay as written: older targets would have the compressor rewrite them into worse CSS.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // The policy allows no data: fonts and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Three pages, and the looks of the API description, which the server puts together.
      input: ['app.html', 'sign-in.html', 'kit.html', 'api-docs/style.css'].map((file) => path(`web/${file}`)),
      output: { codeSplitting: { groups: pageFiles } },
    },
  },
})

/**
 * Styles are asked for before scripts. Where the page is prerendered, the scripts wait for them; the app brings the few
 * that its first sight needs along (decision 0009), and applies the others itself (web/app/apply-styles.ts).
 */
function paintFirst(): Plugin {
  const style = /\s*<link rel="stylesheet"[^>]*>/g
  const script = /(?<=<script type="module"|<link rel="modulepreload")/g
  return {
    name: 'paint-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { filename }) {
        const styles = html.match(style)?.join('') ?? ''
        const ordered = html.replace(style, '').replace('</title>', `</title>${styles}`)
        if (filename.endsWith('app.html')) return ordered.replaceAll('rel="stylesheet"', 'rel="preload" as="style"')
        return filename.endsWith('sign-in.html') ? ordered.replace(script, ' fetchpriority="low"') : ordered
      },
    },
  }
}
