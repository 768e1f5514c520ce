// The browser of the tests. Plain JavaScript: npm test runs it before anything is installed.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { installPackages } from './debian-packages.mjs'
import { say, Unprepared } from './prepare.mjs'

const headlessShell = '/usr/bin/chromium-headless-shell'

/**
 * Finds Chromium or Chrome for the tests, or installs it without prompting. Debian's headless shell is the same engine
 * without a window: a journey takes half the time, so CI installs it even where Chromium is.
 */
export function prepareBrowser() {
  const found = findBrowser()
  const isGoodEnough = !process.env.CI || [headlessShell, process.env.CHROMIUM_PATH].includes(found)
  if (found !== undefined && isGoodEnough) return found
  say('Installing Chromium for the tests ...')
  for (const name of ['chromium-headless-shell', 'chromium']) {
    installPackages(name)
    const installed = findBrowser()
    if (installed !== undefined) return installed
  }
  throw new Unprepared(
    'the browser tests need Chromium: install it (apt install chromium-headless-shell), or set CHROMIUM_PATH',
  )
}

function findBrowser() {
  const candidates = [
    process.env.CHROMIUM_PATH,
    headlessShell,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
  return [...candidates, ...playwrightBrowsers()].find((candidate) => candidate && isProgram(candidate))
}

/** The browsers that Playwright downloaded. */
function playwrightBrowsers() {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(folder)) return []
  const programs = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-mac/Chromium.app/Contents/MacOS/Chromium']
  return readdirSync(folder)
    .filter((name) => name.startsWith('chromium-'))
    .flatMap((name) => programs.map((program) => join(folder, name, program)))
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
