import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase } from 'vitest/node'

/** Says at the end which tests held only when tried again, and what they had said before: the next ones to fail. */
export default class FlakyReporter implements Reporter {
  private readonly flaky: TestCase[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.flaky.push(test)
  }

  onTestRunEnd(): void {
    for (const test of this.flaky) {
      const said = (test.result().errors ?? []).map(({ stack, message }) => stack ?? message)
      console.log(`\n~ held only when tried again: ${test.module.relativeModuleId} › ${test.fullName}`)
      for (const one of said) console.log(stripVTControlCharacters(one).replace(/^/gm, '    ').slice(0, 2000))
    }
  }
}
