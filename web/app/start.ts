import { askAboutPerson } from './ask-ahead.ts'

/** In milliseconds: how long the app waits for the first answer. */
const patience = 300

/**
 * A small script of its own, and the first of the app's page. Running the app keeps a slow device busy for so long that
 * questions are better out before: it starts when it is known who is there, and finds the rest answered.
 */
async function start() {
  const known = askAboutPerson().catch(() => undefined)
  // Only the built page names it (vite.config.ts, startSmall); while developing it is a script of the page.
  const app = document.querySelector<HTMLLinkElement>('link#app')
  if (!app) return
  await Promise.race([known, new Promise((over) => setTimeout(over, patience))])
  await import(/* @vite-ignore */ app.href)
}

void start()
