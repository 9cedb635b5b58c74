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

/** Writes to TEST_TIMES what each file cost and how many tests it has (`npm test -- --times`). */
export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.map((module): TimesOfFile => ({
      file: module.relativeModuleId,
      tests: [...module.children.allTests()].length,
      ...(module.meta().times ?? { worker: 0, programs: 0, database: 0 }),
    }))
    writeFileSync(process.env.TEST_TIMES!, JSON.stringify(lines))
  }
}
