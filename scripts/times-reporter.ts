import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import type { FileTimes } from '#tests/support/times.ts'

/** A row of the table of `npm test -- --times`: the CPU seconds of a test file. */
export type TimesOfFile = FileTimes & { file: string; tests: number }

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges with vitest's own
  interface TaskMeta {
    times?: FileTimes
  }
}

/** A Vitest reporter that writes the CPU seconds and the number of tests of each file to TEST_TIMES (`--times`). */
export default class TimesReporter implements Reporter {
  private readonly files: TimesOfFile[] = []

  onTestModuleEnd(module: TestModule): void {
    const times = module.meta().times ?? { worker: 0, programs: 0, database: 0 }
    this.files.push({ file: module.relativeModuleId, tests: [...module.children.allTests()].length, ...times })
    // Written after each file, so that an aborted run leaves what it has.
    writeFileSync(process.env.TEST_TIMES!, JSON.stringify(this.files))
  }
}
