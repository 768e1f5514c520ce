import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { publicTexts } from './scripts/public-texts.ts'

const path = (relative: string) => new URL(relative, import.meta.url).pathname

/**
 * What the light pages and the app both begin with: one file, where each alone would be a request, and compress badly.
 * The icons are those of these parts.
 */
const controls = new RegExp(
  [
    '/web/ui/(alert|button|classes|field|field-wiring|icon|icon-button|input|language-select|logo|password-input|skeleton)\\.',
    '/web/ui/(skip-link|spinner|text-input|use-calm-busy)\\.',
    '/web/lib/language\\.',
    '/contract/(email-address|languages)\\.',
    '/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared/)',
    '/lucide-react/dist/esm/icons/(circle-alert|circle-check|eye|eye-off|globe|info|triangle-alert)\\.',
  ].join('|'),
)

export default defineConfig({
  root: path('web'),
  publicDir: path('web/public'),
  plugins: [react(), publicTexts(), paintFirst()],
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
      output: { codeSplitting: { groups: [{ name: 'controls', test: controls }] } },
    },
  },
})

/** Styles are asked for before scripts; where the page is prerendered, the scripts wait for them. */
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
        return filename.endsWith('sign-in.html') ? ordered.replace(script, ' fetchpriority="low"') : ordered
      },
    },
  }
}
