import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import type { FileTimes } from '#kit/testing/times.ts'

/** A line of the table of `npm test -- --times`. */
export type TimesOfFile = FileTimes & { file: string; tests: number }

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface merges with vitest's own
  interface TaskMeta {
    times?: FileTimes
  }
}

/** Writes to TEST_TIMES what each file cost and how many tests it has (`npm test -- --times`), file by file. */
export default class TimesReporter implements Reporter {
  private readonly files: TimesOfFile[] = []

  onTestModuleEnd(module: TestModule): void {
    const times = module.meta().times ?? { worker: 0, programs: 0, database: 0 }
    this.files.push({ file: module.relativeModuleId, tests: [...module.children.allTests()].length, ...times })
    // A run that is broken off leaves what it knows.
    writeFileSync(process.env.TEST_TIMES!, JSON.stringify(this.files))
  }
}
