import { expect, test } from 'vitest'
import { PRINTER_STATE, printingDictionaries, type PrintJobState, type PrinterState } from './dictionaries.ts'
import { printJobRemedyTexts, printerRemedyTexts } from './remedies.ts'

const keysOf = (code: string) => printingDictionaries.find((one) => one.code === code)!.entries.map(({ key }) => key)

test('a printer says what to do about it in every state but the one in which it prints', () => {
  const states = keysOf('printer_status').map((key) => Number(key) as PrinterState)
  expect(states.filter((state) => !printerRemedyTexts[state])).toEqual([PRINTER_STATE.ready])
})

test('what was not printed says what to do; what is on its way or out says nothing', () => {
  expect((keysOf('print_state') as PrintJobState[]).filter((state) => printJobRemedyTexts[state])).toEqual([
    'failed',
    'expired',
  ])
})
