import type { Reporter, TestCase } from 'vitest/node'
import { type Module, verdictOf } from '#test/conformance/module.ts'
import { plans } from '#test/conformance/plans.ts'

const reasonOf = ({ notApplicable, notYet }: Module<never>) => notApplicable ?? notYet

/** Prints each module of the official plans by its name: passed, failed, not applicable and why. For Vitest. */
export default class ConformanceReporter implements Reporter {
  private readonly wanted = process.env.CONFORMANCE_PLAN

  onTestRunStart() {
    for (const { name, modules } of plans)
      for (const module of modules)
        if (module.notYet && (!this.wanted || this.wanted === name)) this.say(name, module, verdictOf(module))
  }

  onTestCaseResult(test: TestCase) {
    const plan = plans.find(({ name }) => test.parent.type === 'suite' && name === test.parent.name)
    const module = plan?.modules.find(({ name }) => name === test.name)
    const { state, errors = [] } = test.result()
    if (state === 'skipped') return
    if (plan && module) this.say(plan.name, module, state === 'passed' ? verdictOf(module) : 'failed')
    for (const { message } of errors) console.log(`    ${plan ? '' : `${test.name}: `}${message}`)
  }

  private say(plan: string, module: Module<never>, verdict: string) {
    const reason = verdict === 'failed' ? undefined : reasonOf(module)
    console.log(`${plan}  ${module.name}: ${verdict}${reason ? ` (${reason})` : ''}`)
  }
}
