// Says every ten seconds how far the tests of a step are, and how long the rest of the run takes. For Vitest and Playwright,
// whose own output has a line for each of thousands of tests; what failed is repeated at the end of the run.
const everyMs = 10_000

/** Seconds that this step takes on two idle cores, and the steps after it. */
const expected = Number(process.env.STEP_SECONDS ?? 0)
const after = Number(process.env.SECONDS_AFTER ?? 0)

const inWords = (seconds) => (seconds < 90 ? `${Math.ceil(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`)

function createProgress(what) {
  const since = performance.now()
  const done = { share: 0, passed: 0, failed: 0 }
  const say = () => {
    const seconds = (performance.now() - since) / 1000
    // Until a tenth is done, this machine is taken for an idle one.
    const whole = done.share < 0.1 ? Math.max(expected, seconds) : seconds / done.share
    const left = whole - seconds + after * (expected > 0 ? whole / expected : 1)
    const failed = done.failed > 0 ? `, ${done.failed} failed` : ''
    console.log(
      `   ${Math.floor(done.share * 100)} % of ${what}: ${done.passed} passed${failed}; about ${inWords(left)} left`,
    )
  }
  const timer = setInterval(say, everyMs)
  timer.unref()
  return {
    done,
    failed(name) {
      done.failed++
      console.log(`   ✗ ${name}`)
    },
    end() {
      clearInterval(timer)
    },
  }
}

/** Both programs construct what the file exports, and call the methods that they know. */
export default class ProgressReporter {
  progress = createProgress('this step')
  total = 1
  ended = 0

  // Vitest
  onTestRunStart(files) {
    this.total = Math.max(files.length, 1)
  }
  onTestCaseResult(test) {
    if (test.result().state === 'passed') this.progress.done.passed++
    if (test.result().state === 'failed') this.progress.failed(`${test.module.relativeModuleId} › ${test.fullName}`)
  }
  onTestModuleEnd() {
    this.progress.done.share = ++this.ended / this.total
  }
  onTestRunEnd() {
    this.progress.end()
  }

  // Playwright
  printsToStdio() {
    return true
  }
  onBegin(_, suite) {
    this.total = Math.max(suite.allTests().length, 1)
  }
  onTestEnd(test, { status }) {
    if (status === 'passed') this.progress.done.passed++
    if (status === 'failed' || status === 'timedOut') this.progress.failed(test.titlePath().join(' › '))
    this.progress.done.share = ++this.ended / this.total
  }
  onEnd() {
    this.progress.end()
  }
}
