import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Says at the end which tests held only when tried again, and what they had said before: the next ones to fail; and
 * writes to UNHANDLED_ERRORS in which files something broke outside of all tests.
 */
export default class FlakyReporter implements Reporter {
  private readonly flaky: TestCase[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.flaky.push(test)
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const at = unhandled.map((error) => (error as { VITEST_TEST_PATH?: string }).VITEST_TEST_PATH ?? '')
    if (process.env.UNHANDLED_ERRORS) writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(at))
    for (const test of this.flaky) {
      const said = (test.result().errors ?? []).map(({ stack, message }) => stack ?? message)
      console.log(`\n~ held only when tried again: ${test.module.relativeModuleId} › ${test.fullName}`)
      for (const one of said) console.log(stripVTControlCharacters(one).replace(/^/gm, '    ').slice(0, 2000))
    }
  }
}
