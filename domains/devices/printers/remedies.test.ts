import { expect, test } from 'vitest'
import { PRINTER, printingDictionaries, type JobState, type PrinterState } from './dictionaries.ts'
import { jobRemedies, printerRemedies } from './remedies.ts'

const keysOf = (code: string) => printingDictionaries.find((one) => one.code === code)!.entries.map(({ key }) => key)

test('a printer says what to do about it in every state but the one in which it prints', () => {
  const states = keysOf('printer_status').map((key) => Number(key) as PrinterState)
  expect(states.filter((state) => !printerRemedies[state])).toEqual([PRINTER.ready])
})

test('what was not printed says what to do; what is on its way or out says nothing', () => {
  expect((keysOf('print_state') as JobState[]).filter((state) => jobRemedies[state])).toEqual(['failed', 'expired'])
})
