import { defineConfig } from '@playwright/test'

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** Journeys in a real browser, against the built web app and `node server/main.mjs` (e2e/portal-server.ts). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/start-portal.ts',
  // Three take longer on two cores (9.2 minutes beside 8.2).
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    // Swedish is what a visitor gets who says nothing else; the clock is that of the people.
    locale: 'sv-SE',
    timezoneId: 'Europe/Stockholm',
    // What moves is drawn sixty times a second and waited for. services.e2e.ts has it as most people do.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Recording takes a quarter of the time: add --trace=on to look into a journey that fails.
    trace: 'off',
    launchOptions: {
      executablePath: chromium,
      // With C, the name of a download that has å in it is lost.
      env: { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8' },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page lives for seconds: optimising its code costs a tenth of the processor's time and is never repaid.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
  },
})
