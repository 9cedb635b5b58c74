import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * A Vitest reporter that writes the paths of the test files in which an error occurred outside any test to
 * UNHANDLED_ERRORS.
 */
export default class UnhandledReporter implements Reporter {
  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const at = unhandled.map((error) => (error as { VITEST_TEST_PATH?: string }).VITEST_TEST_PATH ?? '')
    if (process.env.UNHANDLED_ERRORS) writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(at))
  }
}
